import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { AuthoringSignal, TemplateCategory, TemplateStatus } from "./Template.ts"
import { TemplateComponent } from "./TemplateComponents.ts"
import { InvalidTemplateRequest, TemplateNotFound } from "./TemplateErrors.ts"

/** One version of a template, with what became of its review. gaps-2 G "Template transitions" */
export const TemplateVersion = Schema.Struct({
  id: id("tplv"),
  object: Schema.Literal("template_version"),
  version: Schema.Int,
  status: TemplateStatus,
  rejection_reason: Schema.NullOr(Schema.String),
  category: TemplateCategory,
  components: Schema.Array(TemplateComponent),
  created_at: Timestamp,
  submitted_at: Schema.NullOr(Timestamp),
  approved_at: Schema.NullOr(Timestamp)
})
export type TemplateVersion = typeof TemplateVersion.Type

/** A template with the version that sends use. gaps-2 G "Template routes" */
export const SendableTemplate = Schema.Struct({
  id: id("tpl"),
  object: Schema.Literal("sendable_template"),
  name: Schema.String,
  language: Schema.String,
  category: TemplateCategory,
  components: Schema.Array(TemplateComponent)
})
export type SendableTemplate = typeof SendableTemplate.Type

/** A template of any environment of the organization, as a search shows it. */
export const NamedTemplate = Schema.Struct({
  id: id("tpl"),
  object: Schema.Literal("named_template"),
  environment_id: id("env"),
  name: Schema.String,
  language: Schema.String
})

/** The content of a template of which a review would say something, whether or not it could be stored. */
export const ReviewedContent = Schema.Struct({
  category: TemplateCategory,
  components: Schema.Array(TemplateComponent)
})
export type ReviewedContent = typeof ReviewedContent.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["templates:read"],
  rate: "read",
  validation: InvalidQuery.code
}
const params = { template_id: pathId("tpl") }

/** What people look up of templates beside the API: their versions, and what sends use. Decision 0155 */
export class TemplateLookupsApi extends HttpApiGroup.make("templateLookups")
  .add(
    /** Newest first; none of a template that is not there. */
    HttpApiEndpoint.get("versions", "/:template_id/versions", { params, success: rowsOf(TemplateVersion) }).annotate(
      Traits,
      traits
    ),
    HttpApiEndpoint.get("ofVersion", "/of-version/:template_version_id", {
      params: { template_version_id: pathId("tplv") },
      success: Schema.Struct({
        object: Schema.Literal("template_of_version"),
        template_id: id("tpl"),
        trace_id: TraceId
      }),
      error: TemplateNotFound.wire
    }).annotate(Traits, traits),
    /** Templates whose name begins like this in all environments of the caller's organization, by name. */
    HttpApiEndpoint.get("named", "/named", {
      query: { name: Schema.String, limit: integerParam(1, 100) },
      success: rowsOf(NamedTemplate)
    }).annotate(Traits, { ...traits, realTime: true }),
    /** Those of the newest templates that have an approved version. */
    HttpApiEndpoint.get("listSendable", "/sendable", {
      query: { limit: integerParam(1, 250) },
      success: rowsOf(SendableTemplate)
    }).annotate(Traits, traits),
    /** What reviewers tend to refuse in a content that is being written; it stores nothing. M-TPL-10 */
    HttpApiEndpoint.post("reviewNotes", "/review-notes", {
      payload: ReviewedContent,
      success: rowsOf(AuthoringSignal),
      error: InvalidTemplateRequest.wire
    }).annotate(Traits, { ...traits, validation: InvalidTemplateRequest.code }),
    /** Not found without an approved version. */
    HttpApiEndpoint.get("getSendable", "/sendable/:template_id", {
      params,
      success: Schema.Struct({ ...SendableTemplate.fields, trace_id: TraceId }),
      error: TemplateNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/templates") {}
