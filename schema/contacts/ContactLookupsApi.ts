import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId } from "../conventions/Ids.ts"
import { integerParam, rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { ConsentEvent, OptInStatus } from "./Contact.ts"

/** A contact of any environment of the organization, as a search shows it. */
export const NamedContact = Schema.Struct({
  id: id("con"),
  object: Schema.Literal("named_contact"),
  environment_id: id("env"),
  name: Schema.String,
  phone: Schema.String
})

/** A contact of any environment of the organization, found by the end of its phone. */
const PhoneContact = Schema.Struct({
  id: id("con"),
  object: Schema.Literal("phone_contact"),
  environment_id: id("env"),
  phone: Schema.String,
  name: Schema.NullOr(Schema.String)
})

/** What is known of a customer, under the phone that was looked for. */
const KnownPhone = Schema.Struct({
  object: Schema.Literal("known_phone"),
  phone: Schema.String,
  name: Schema.NullOr(Schema.String),
  opt_in_status: OptInStatus
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["contacts:read"],
  rate: "read",
  validation: InvalidQuery.code
}

/** What people look up of contacts beside the API: their choices, and who has a name. Decision 0155 */
export class ContactLookupsApi extends HttpApiGroup.make("contactLookups")
  .add(
    /** Every choice of a contact, oldest first; none of a contact that is not there. gaps-2 I "Export" */
    HttpApiEndpoint.get("choices", "/:contact_id/choices", {
      params: { contact_id: pathId("con") },
      success: rowsOf(ConsentEvent)
    }).annotate(Traits, traits),
    /**
     * Contacts in whose name each word of this text begins a word, however it is accented, newest first before an id: in the
     * caller's environment alone, or in all environments of its organization.
     */
    HttpApiEndpoint.get("named", "/named", {
      query: {
        name: Schema.String,
        limit: integerParam(1, 100),
        before: Schema.optionalKey(Schema.String),
        within: Schema.optionalKey(Schema.Literals(["environment", "organization"]))
      },
      success: rowsOf(NamedContact)
    }).annotate(Traits, { ...traits, realTime: true }),
    /** Contacts whose phone ends in these digits, in all environments of the caller's organization, newest first. */
    HttpApiEndpoint.get("endingIn", "/ending-in", {
      query: { digits: Schema.String.check(Schema.isPattern(/^\d{4,15}$/)), limit: integerParam(1, 100) },
      success: rowsOf(PhoneContact)
    }).annotate(Traits, { ...traits, realTime: true }),
    /** Names and choices of customers of an environment by up to 100 phones, which commas divide; unknown phones are left out. */
    HttpApiEndpoint.get("ofPhones", "/of-phones", {
      query: { phones: text(1, 100 * 17) },
      success: rowsOf(KnownPhone)
    }).annotate(Traits, traits)
  )
  .prefix("/people/contacts") {}
