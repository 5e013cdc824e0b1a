import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { IdempotencyKeyConflict, InvalidCursor, ProviderError } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { InvalidQuery } from "../feedback/FeedbackErrors.ts"
import { InvalidSandboxRequest } from "../sandbox/SandboxErrors.ts"
import {
  CreateTemplate,
  DeletedTemplate,
  DuplicateTemplate,
  SetTemplateStatus,
  Template,
  TemplateCategory,
  TemplateImport,
  TemplateRead,
  TemplateStatus,
  UpdateTemplate
} from "./Template.ts"
import * as Errors from "./TemplateErrors.ts"

const params = { template_id: pathId("tpl") }

const writing = (traits: Partial<OperationTraits> = {}): OperationTraits => ({
  scopes: ["templates:write"],
  rate: "write",
  validation: Errors.InvalidTemplateRequest.code,
  strictBody: true,
  restrictedWithoutCredit: true,
  ...traits
})

const reading = (traits: Partial<OperationTraits> = {}): OperationTraits => ({
  scopes: ["templates:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true,
  ...traits
})

/** Templates of the calling key's environment. M-TPL, gaps-2 G "Template routes" */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.post("create", "/v1/templates", {
      payload: CreateTemplate,
      success: TemplateRead.pipe(HttpApiSchema.status(201)),
      error: [Errors.InvalidTemplateRequest.wire, Errors.TemplateNameTaken.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing({ idempotency: "optional" }))
      .annotate(OpenApi.Summary, "Write a template")
      .annotate(
        OpenApi.Description,
        "Creates a draft; submit it for review before it can be sent. param names the first component that breaks the rules."
      ),
    HttpApiEndpoint.get("list", "/v1/templates", {
      query: {
        ...pageQuery(),
        status: Schema.optionalKey(TemplateStatus),
        category: Schema.optionalKey(TemplateCategory),
        language: Schema.optionalKey(text(1, 16)).annotate({ description: "Only this language, such as pt_BR." }),
        name: Schema.optionalKey(text(1, 512)).annotate({ description: "Only this name." })
      },
      success: pageOf(Template),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, reading({ strictQuery: true }))
      .annotate(OpenApi.Summary, "List templates")
      .annotate(
        OpenApi.Description,
        "Templates of the calling key's environment, newest first. Filters are combined with AND."
      ),
    HttpApiEndpoint.post("import", "/v1/templates/import", {
      success: TemplateImport,
      error: [Errors.TemplateProviderConnectionRequired.wire, ProviderError.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing({ idempotency: "optional", capability: "messaging" }))
      .annotate(OpenApi.Summary, "Import the account's approved templates")
      .annotate(
        OpenApi.Description,
        "Takes over the approved templates that the connected account already has: name, language, category, components and quality. They can be sent at once. At most 500 are taken; call again until imported is 0. A sandbox imports none."
      ),
    HttpApiEndpoint.get("get", "/v1/templates/:template_id", {
      params,
      success: TemplateRead,
      error: Errors.TemplateNotFound.wire
    })
      .annotate(Traits, reading())
      .annotate(OpenApi.Summary, "Read a template")
      .annotate(
        OpenApi.Description,
        "Returns the newest version; approved_version is the number of the version that sends use."
      ),
    HttpApiEndpoint.patch("update", "/v1/templates/:template_id", {
      params,
      payload: UpdateTemplate,
      success: TemplateRead,
      error: [Errors.InvalidTemplateRequest.wire, Errors.TemplateNotFound.wire, Errors.TemplateNotEditable.wire]
    })
      .annotate(Traits, writing())
      .annotate(OpenApi.Summary, "Change a template")
      .annotate(
        OpenApi.Description,
        "A draft or a rejected template is changed in place. An approved or paused one gets a new draft version, and sends use the approved one until the new one is approved."
      ),
    HttpApiEndpoint.delete("delete", "/v1/templates/:template_id", {
      params,
      success: DeletedTemplate,
      error: Errors.TemplateNotFound.wire
    })
      .annotate(Traits, writing())
      .annotate(OpenApi.Summary, "Delete a template")
      .annotate(
        OpenApi.Description,
        "The name becomes available again; queued sends of the template fail with template_unavailable."
      ),
    HttpApiEndpoint.post("submit", "/v1/templates/:template_id/submit", {
      params,
      success: TemplateRead.pipe(HttpApiSchema.status(202)),
      error: [Errors.TemplateNotFound.wire, Errors.TemplateNotSubmittable.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing({ idempotency: "optional", capability: "messaging" }))
      .annotate(OpenApi.Summary, "Submit a template for review")
      .annotate(
        OpenApi.Description,
        "Events report the decision. A sandbox approves after a second; in production the provider reviews."
      ),
    HttpApiEndpoint.post("duplicate", "/v1/templates/:template_id/duplicate", {
      params,
      payload: DuplicateTemplate,
      success: TemplateRead.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidTemplateRequest.wire,
        Errors.TemplateNotFound.wire,
        Errors.TemplateNameTaken.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, writing({ idempotency: "optional" }))
      .annotate(OpenApi.Summary, "Copy a template")
      .annotate(
        OpenApi.Description,
        "Creates a draft from the newest version under another name, in another language, or both."
      ),
    HttpApiEndpoint.post("setSandboxStatus", "/v1/sandbox/templates/:template_id/status", {
      params,
      payload: SetTemplateStatus,
      success: TemplateRead,
      error: [
        SandboxOnlyRoute.wire,
        InvalidSandboxRequest.wire,
        Errors.TemplateNotFound.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "write",
        validation: InvalidSandboxRequest.code,
        idempotency: "optional",
        sandboxOnly: true
      })
      .annotate(OpenApi.Identifier, "sandbox.templates.setStatus")
      .annotate(OpenApi.Summary, "Reject, pause or disable a sandbox template")
      .annotate(
        OpenApi.Description,
        "Simulates a decision of the provider, from any state, with its event; or its move of a template to another category."
      )
  )
  .annotate(OpenApi.Title, "Templates")
  .annotate(OpenApi.Description, "Reviewed messages that can be sent without an open service window.") {}
