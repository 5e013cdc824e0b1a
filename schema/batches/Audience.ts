import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { IdempotencyKeyConflict, InvalidCursor, InvalidQuery } from "../conventions/SharedErrors.ts"
import { strictStruct } from "../conventions/StrictStruct.ts"
import { label, text } from "../conventions/Text.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { AudienceNotFound, InvalidAudienceRequest } from "./BatchErrors.ts"

/**
 * One filter over contacts. Its members are combined with AND; without any it selects all contacts. Refuses unknown
 * members, because ignoring a misspelt one would address more contacts. gaps-2 H "Create body", gaps-2 A "Unknown body
 * fields"
 */
export const ContactFilter = strictStruct({
  opt_in_status: nullableOptional(
    Schema.Literals(["opted_in", "opted_out", "none"]).annotate({ description: "Consent of the contacts." })
  ),
  source: nullableOptional(text(1, 64).annotate({ description: "Source of the latest consent." })),
  created_after: nullableOptional(
    TimestampInput.annotate({ description: "Contacts created after this instant; RFC 3339." })
  )
}).annotate({ description: "Filter over contacts; without any member it selects all of them." })
export type ContactFilter = typeof ContactFilter.Type

const audienceFields = {
  id: id("aud"),
  object: Schema.Literal("audience"),
  name: Schema.String.annotateKey({ description: "Your name for the audience." }),
  filter: Schema.Struct({
    opt_in_status: Schema.optionalKey(Schema.String).annotate({ description: "Consent of the contacts." }),
    source: Schema.optionalKey(Schema.String).annotate({ description: "Source of the latest consent." }),
    created_after: Schema.optionalKey(Schema.String).annotate({ description: "Contacts created after this instant." })
  }).annotate({ description: "Filter over contacts, as you sent it." }),
  contact_count: Schema.Int.annotate({ description: "Number of contacts that match now." }),
  created_at: Timestamp,
  updated_at: Timestamp
}

/** A saved filter over contacts, which a batch can be sent to. gaps-2 H "Audiences" */
export const Audience = Schema.Struct(audienceFields).annotate({ identifier: "Audience" })
export type Audience = typeof Audience.Type

/** Body of POST /v1/audiences. gaps-2 H "Audiences" */
export const CreateAudience = Schema.Struct({
  name: label(1, 255).annotate({ description: "Your name for the audience, 1 to 255 characters after trimming." }),
  filter: ContactFilter
}).annotate({
  identifier: "CreateAudience",
  examples: [{ name: "Newsletter", filter: { opt_in_status: "opted_in", source: "api" } }]
})
export type CreateAudience = typeof CreateAudience.Type

/** The response to DELETE. gaps-2 H "Audiences" */
export const DeletedAudience = Schema.Struct({
  id: id("aud"),
  object: Schema.Literal("audience"),
  deleted: Schema.Literal(true),
  trace_id: TraceId
}).annotate({ identifier: "DeletedAudience" })

const params = { audience_id: pathId("aud") }
const read = Schema.Struct({ ...audienceFields, trace_id: TraceId })
const reading: OperationTraits = {
  scopes: ["contacts:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true
}
const writing: OperationTraits = {
  scopes: ["contacts:write"],
  rate: "write",
  validation: InvalidAudienceRequest.code,
  restrictedWithoutCredit: true
}

/** Saved filters over the contacts of the calling key's environment. gaps-2 H "Audiences" */
export class AudiencesApi extends HttpApiGroup.make("audiences")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateAudience,
      success: read.pipe(HttpApiSchema.status(201)),
      error: [InvalidAudienceRequest.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, { ...writing, idempotency: "optional", strictBody: true })
      .annotate(OpenApi.Summary, "Create an audience")
      .annotate(OpenApi.Description, "Saves a filter over contacts; a batch applies it when it starts."),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(Audience),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List audiences")
      .annotate(OpenApi.Description, "Audiences of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:audience_id", { params, success: read, error: AudienceNotFound.wire })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read an audience")
      .annotate(OpenApi.Description, "Returns the filter and the number of contacts that match now."),
    HttpApiEndpoint.delete("delete", "/:audience_id", {
      params,
      success: DeletedAudience,
      error: AudienceNotFound.wire
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Delete an audience")
      .annotate(OpenApi.Description, "The contacts stay. A batch that names the audience and has not started fails.")
  )
  .prefix("/v1/audiences")
  .annotate(OpenApi.Title, "Audiences")
  .annotate(OpenApi.Description, "Saved filters over contacts, for batches.") {}
