import { Schema, SchemaIssue } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { errorCode, nullableOptional } from "../conventions/RequestValidation.ts"
import { IdempotencyKeyConflict, InvalidCursor, InvalidQuery } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidPhoneE164 } from "../messages/MessageErrors.ts"
import { Metadata } from "../messages/Metadata.ts"
import { isUserId, userIdRule } from "../messages/Vocabulary.ts"
import { ContactNotFound, DataExportDisabled, InvalidContactRequest } from "./ContactErrors.ts"

/** The consent of a customer; only `opted_out` blocks sends. gaps-2 C "Default consent" */
export const OptInStatus = Schema.Literals(["opted_in", "opted_out", "none"]).annotate({
  description: "Consent of the customer: opted_in, opted_out, or none yet. Only opted_out blocks messages."
})
export type OptInStatus = typeof OptInStatus.Type

const nullableInstant = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

const contactFields = {
  id: id("con"),
  object: Schema.Literal("contact"),
  phone: Schema.NullOr(Schema.String).annotate({
    description:
      "The phone number as it was first written, with +; empty for a customer who hides it. Null in the replayed response for an erased contact."
  }),
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "The platform's id of the customer for your business; null while none is known.",
    examples: ["BR.13491208655302741918"]
  }),
  username: Schema.NullOr(Schema.String).annotate({
    description: "Username of the customer at their latest message; null while none is known.",
    examples: ["@maria"]
  }),
  environment: EnvironmentKind,
  profile_name: Schema.NullOr(Schema.String).annotate({
    description: "Profile name of the customer at their latest message; not verified."
  }),
  opt_in_status: OptInStatus,
  source: Schema.String.annotateKey({
    description:
      "Source of the latest consent: your own value, api, inbound for a customer who wrote, or inbound_keyword."
  }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  marketing_stopped: Schema.Boolean.annotateKey({
    description: "Whether the customer stopped marketing messages of your business at the provider."
  }),
  opted_in_at: nullableInstant("Time of the latest opt-in."),
  opted_out_at: nullableInstant("Time of the latest opt-out."),
  last_inbound_at: nullableInstant("Time of the customer's latest message."),
  created_at: Timestamp,
  updated_at: Timestamp
}

/** A contact as lists return it. gaps-2 I "Contact record" */
export const ContactEntry = Schema.Struct(contactFields).annotate({ identifier: "ContactEntry" })
export type ContactEntry = typeof ContactEntry.Type

/** A contact as reads return it. gaps-2 I "Contact record" */
export const Contact = Schema.Struct({ ...contactFields, trace_id: TraceId }).annotate({ identifier: "Contact" })

/** A phone as a person wrote it; the route reads it in the project's region. gaps-2 A "Phones outside `recipient.id`" */
const Phone = Schema.String.annotate({
  description:
    "The phone number. Only + or 00 begins an international number; any other is read in the default_region of the project, with or without its calling code.",
  examples: ["+5511912345678"]
}).annotate(errorCode(InvalidPhoneE164.code))

/** A customer by the platform's id of them. U-HID-02 */
const UserId = Schema.String.annotate({
  description: "The user_id of the customer's messages, instead of phone: for a customer who hides the phone.",
  examples: ["BR.13491208655302741918"]
}).check(Schema.makeFilter(isUserId, { expected: userIdRule }))

/** Members that name a customer: exactly one of them. */
const namedBy = { phone: Schema.optionalKey(Phone), user_id: nullableOptional(UserId) }
const exactlyOne = Schema.makeFilter(({ phone, user_id }: { readonly phone?: string; readonly user_id?: string }) => {
  if (phone !== undefined) {
    return user_id === undefined ? undefined : { path: ["user_id"], issue: "exactly one of phone, user_id" }
  }
  return user_id === undefined ? { path: ["phone"], issue: new SchemaIssue.MissingKey(undefined) } : undefined
})

const Source = text(1, 64).annotate({
  description: "Source of the consent, 1 to 64 characters; api by default.",
  examples: ["crm"]
})
const ContactMetadata = Metadata.annotate({
  description: "Your own data, kept with the contact: at most 50 keys of 1 to 64 characters, 16 KiB as JSON."
})

/** Body of POST /v1/contacts/bulk-import. M-CON-01..03, gaps-2 I "Bulk import results" */
export const ImportContacts = Schema.Struct({
  rows: Schema.Array(Schema.Struct({ ...namedBy, metadata: nullableOptional(ContactMetadata) }).check(exactlyOne))
    .check(Schema.isMinLength(1), Schema.isMaxLength(1000))
    .annotate({ description: "1 to 1000 customers who agreed. For a repeated customer the last metadata counts." }),
  source: nullableOptional(Source)
}).annotate({
  identifier: "ImportContacts",
  examples: [{ rows: [{ phone: "+5511912345678", metadata: { plan: "gold" } }], source: "crm" }]
})
export type ImportContacts = typeof ImportContacts.Type

/** The response to an import; it counts contacts, not rows. M-CON-06 */
export const ContactBulkImport = Schema.Struct({
  object: Schema.Literal("contact_bulk_import"),
  data: Schema.Array(ContactEntry).annotateKey({
    description: "Contacts of the rows, each once, in the order of the rows."
  }),
  imported: Schema.Int.annotateKey({
    description: "Contacts that this import opted in, including those that had opted out."
  }),
  skipped: Schema.Int.annotateKey({ description: "Contacts that were opted in before." }),
  trace_id: TraceId
}).annotate({ identifier: "ContactBulkImport" })

/** Body of POST /v1/contacts/opt-in and /opt-out. gaps-2 I "Opt-in, opt-out, reads" */
export const ChangeConsent = Schema.Struct({
  ...namedBy,
  source: nullableOptional(Source),
  reason: nullableOptional(text(1, 500).annotate({ description: "Reason for your own records, 1 to 500 characters." })),
  metadata: nullableOptional(ContactMetadata)
})
  .annotate({
    examples: [
      { phone: "+5511912345678", source: "support", reason: "asked" },
      { user_id: "BR.13491208655302741918", source: "support" }
    ]
  })
  .check(exactlyOne)
  .annotate({ identifier: "ChangeConsent" })
export type ChangeConsent = typeof ChangeConsent.Type

/** The response to DELETE. gaps-2 I "Erasure" */
export const DeletedContact = Schema.Struct({
  id: id("con"),
  object: Schema.Literal("contact"),
  deleted: Schema.Literal(true),
  trace_id: TraceId
}).annotate({ identifier: "DeletedContact" })

/** One change of consent. gaps-2 I "Export" */
export const ConsentEvent = Schema.Struct({
  id: id("cev"),
  type: Schema.Literals(["opted_in", "opted_out"]).annotate({
    description: "Consent that the customer gave or withdrew."
  }),
  source: Schema.String.annotateKey({ description: "Source of the consent." }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Reason given with the change." }),
  occurred_at: Timestamp
})
export type ConsentEvent = typeof ConsentEvent.Type

/** All data kept about one customer. gaps-2 I "Export" */
export const ContactExport = Schema.Struct({
  object: Schema.Literal("contact_export"),
  id: id("con"),
  contact: ContactEntry.annotateKey({ description: "The contact itself." }),
  consent_events: Schema.Array(ConsentEvent).annotateKey({ description: "Every change of consent, oldest first." }),
  messages: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "The latest 1000 messages of the customer, newest first, each as reading it returns it."
  }),
  truncated: Schema.Boolean.annotateKey({ description: "Whether older messages exist." }),
  generated_at: Timestamp,
  trace_id: TraceId
}).annotate({ identifier: "ContactExport" })

/** Query of GET /v1/contacts. gaps-2 I "Opt-in, opt-out, reads" */
const listContactsQuery = {
  ...pageQuery(),
  phone: Schema.optionalKey(
    Schema.String.annotate({ description: "The phone number, read as in the body of an opt-in. Escape + as %2B." })
  ),
  user_id: Schema.optionalKey(UserId),
  opt_in_status: Schema.optionalKey(OptInStatus),
  source: Schema.optionalKey(text(1, 64)).annotate({ description: "Source of the latest consent." })
}

const writeRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["contacts:write"],
  rate: "write",
  validation: InvalidContactRequest.code,
  restrictedWithoutCredit: true,
  ...traits
})
const readRoute: OperationTraits = {
  scopes: ["contacts:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true
}
const params = { contact_id: pathId("con") }
const writeErrors = [InvalidContactRequest.wire, InvalidPhoneE164.wire, IdempotencyKeyConflict.wire] as const

/** Routes of customers and their consent. M-CON, gaps-2 I */
export class ContactsApi extends HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.post("bulkImport", "/bulk-import", {
      payload: ImportContacts,
      success: ContactBulkImport,
      error: writeErrors
    })
      .annotate(Traits, writeRoute({ idempotency: "optional" }))
      .annotate(OpenApi.Summary, "Import contacts")
      .annotate(
        OpenApi.Description,
        "Opts in customers who agreed, including those who had opted out: never import a suppression list with it. One invalid row refuses the whole import. Send an idempotency-key and reuse it only for the identical request."
      ),
    HttpApiEndpoint.post("optIn", "/opt-in", { payload: ChangeConsent, success: Contact, error: writeErrors })
      .annotate(Traits, writeRoute({ idempotency: "optional", strictBody: true }))
      .annotate(OpenApi.Summary, "Opt a contact in")
      .annotate(
        OpenApi.Description,
        "Creates the contact if none exists. It does not lift the provider's stop of marketing messages."
      ),
    HttpApiEndpoint.post("optOut", "/opt-out", { payload: ChangeConsent, success: Contact, error: writeErrors })
      .annotate(
        Traits,
        writeRoute({
          idempotency: "optional",
          sourceCeiling: "opt_out",
          restrictedWithoutCredit: false,
          warning: "invalid_phone_number"
        })
      )
      .annotate(OpenApi.Summary, "Opt a contact out")
      .annotate(
        OpenApi.Description,
        "After this call every message to this customer is refused. An international number that no numbering plan lists is taken too, with svc-warning. A call takes one customer. One source address may make 10 calls per second (60 in a burst) over all keys: on 429 wait for retry-after, then repeat the unchanged body under the unchanged idempotency-key."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: listContactsQuery,
      success: pageOf(ContactEntry),
      error: [InvalidQuery.wire, InvalidPhoneE164.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...readRoute, strictQuery: true })
      .annotate(OpenApi.Summary, "List contacts")
      .annotate(OpenApi.Description, "Newest first. Filters are combined with AND."),
    HttpApiEndpoint.get("get", "/:contact_id", { params, success: Contact, error: ContactNotFound.wire })
      .annotate(Traits, readRoute)
      .annotate(OpenApi.Summary, "Read a contact")
      .annotate(OpenApi.Description, "A contact of the calling key's environment."),
    HttpApiEndpoint.delete("delete", "/:contact_id", { params, success: DeletedContact, error: ContactNotFound.wire })
      .annotate(Traits, writeRoute({}))
      .annotate(OpenApi.Summary, "Erase a contact")
      .annotate(
        OpenApi.Description,
        "Immediately hides the contact and cancels its queued messages. Within an hour all personal data is removed from its messages, media, events and stored responses; ids and states stay. An opt-out stays in force."
      ),
    HttpApiEndpoint.post("export", "/:contact_id/export", {
      params,
      success: ContactExport,
      error: [ContactNotFound.wire, DataExportDisabled.wire]
    })
      .annotate(Traits, { ...readRoute, validation: InvalidContactRequest.code })
      .annotate(OpenApi.Summary, "Export a contact")
      .annotate(OpenApi.Description, "The contact, every change of its consent and its latest 1000 messages.")
  )
  .prefix("/v1/contacts")
  .annotate(OpenApi.Title, "Contacts")
  .annotate(OpenApi.Description, "Customers and their consent.") {}
