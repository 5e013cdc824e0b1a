import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { componentsFault } from "./ComponentFaults.ts"
import { ComponentInput, storedComponents, TemplateComponent } from "./TemplateComponents.ts"

/** The category of a template; marketing has its own guards. M-TPL-02 */
export const TemplateCategory = Schema.Literals(["marketing", "utility", "authentication"]).annotate({
  description: "Category of the template. Marketing templates are sent within the marketing guards."
})
export type TemplateCategory = typeof TemplateCategory.Type

/** The way in which variables are written. M-TPL-03 */
export const ParameterFormat = Schema.Literals(["POSITIONAL", "NAMED"]).annotate({
  description: "POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}."
})

/** The status of a template. M-TPL-06, gaps-2 G "Template transitions" */
export const TemplateStatus = Schema.Literals([
  "draft",
  "submitted",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "orphaned"
]).annotate({
  description: "Status of the newest version. During a draft or a review the approved version stays in use."
})
export type TemplateStatus = typeof TemplateStatus.Type

/** True when a newest version with this status may be submitted. gaps-2 G "Template routes" */
export const isSubmittable = (status: TemplateStatus): boolean => status === "draft" || status === "rejected"

/** The provider's rating of customers' reactions to a template. M-TPL-09 */
export const ProviderQuality = Schema.Literals(["green", "yellow", "red", "unknown"]).annotate({
  description: "Quality as the provider rates it from customers' reactions."
})
export type ProviderQuality = typeof ProviderQuality.Type

/** A remark on the wording; it never blocks. M-TPL-10, gaps-2 G "authoring_signals" */
export const AuthoringSignal = Schema.Struct({
  code: Schema.String.annotateKey({
    description: "variable_at_edge, too_many_variables, promotional_wording or short_link; new codes may appear."
  }),
  severity: Schema.Literals(["info", "warning"]).annotate({ description: "Severity for reviewers." }),
  component: Schema.String.annotateKey({ description: "Component that the signal concerns, such as BODY." }),
  message: Schema.String.annotateKey({ description: "Explanation of the signal." })
}).annotate({ identifier: "AuthoringSignal" })
export type AuthoringSignal = typeof AuthoringSignal.Type

/** A template name: 1 to 512 of a-z, 0-9 and _. gaps-2 G "Template routes" */
export const TemplateName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,512}$/u, { expected: "1 to 512 lowercase letters, digits and underscores" })
).annotate({
  description: "1 to 512 lowercase letters, digits and underscores; unique with its language.",
  examples: ["order_shipped"]
})

/** A language such as `pt` or `pt_BR`. gaps-2 G "Template routes" */
export const TemplateLanguage = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}(?:_[A-Z]{2})?$/u, {
    expected: "two lowercase letters, or those with a country, such as pt_BR"
  })
).annotate({
  description: "Two letters, or two letters with a country: pt_BR.",
  examples: ["pt_BR"]
})

const templateFields = {
  id: id("tpl"),
  object: Schema.Literal("template"),
  name: Schema.String.annotate({ description: "Name of the template; sends refer to it by name and language." }),
  language: Schema.String.annotate({ description: "Its language." }),
  category: TemplateCategory,
  parameter_format: ParameterFormat,
  status: TemplateStatus,
  environment: EnvironmentKind,
  version: Schema.Int.annotate({ description: "Number of the version shown here, the newest." }),
  version_id: id("tplv"),
  approved_version: Schema.NullOr(Schema.Int).annotate({
    description: "Number of the version that sends use; null while no version is approved."
  }),
  components: Schema.Array(TemplateComponent).annotate({ description: "The parts of this version." }),
  provider_template_id: Schema.NullOr(Schema.String).annotate({
    description: "Id at the provider; null before the provider assigns it."
  }),
  rejection_reason: Schema.NullOr(Schema.String).annotate({
    description: "Reason for the rejection, if one was given."
  }),
  provider_quality: ProviderQuality,
  authoring_signals: Schema.Array(AuthoringSignal).annotate({ description: "Remarks on the wording." }),
  submitted_at: Schema.NullOr(Timestamp).annotate({
    description: "Time at which this version was submitted for review."
  }),
  approved_at: Schema.NullOr(Timestamp).annotate({ description: "Time at which this version was approved." }),
  created_at: Timestamp,
  updated_at: Timestamp
}

/** A template as lists return it. M-TPL-01..11 */
export const Template = Schema.Struct(templateFields).annotate({ identifier: "Template" })
export type Template = typeof Template.Type

/** A template as a response of its own. */
export const TemplateRead = Schema.Struct({ ...templateFields, trace_id: TraceId })

/** The response to an import. U-TPL-08 */
export const TemplateImport = Schema.Struct({
  object: Schema.Literal("template_import"),
  data: Schema.Array(Template).annotate({ description: "The imported templates." }),
  imported: Schema.Int.annotate({ description: "Number of imported templates." }),
  skipped: Schema.Int.annotate({
    description:
      "Number of the account's templates that were left out: not approved, here already, with parts that cannot be sent from here, or beyond 500."
  }),
  trace_id: TraceId
}).annotate({ identifier: "TemplateImport" })
export type TemplateImport = typeof TemplateImport.Type

/** The response to DELETE. gaps-2 G "Template routes" */
export const DeletedTemplate = Schema.Struct({
  id: id("tpl"),
  object: Schema.Literal("template"),
  deleted: Schema.Literal(true),
  trace_id: TraceId
}).annotate({ identifier: "DeletedTemplate" })

const components = Schema.Array(ComponentInput).check(Schema.isMinLength(1), Schema.isMaxLength(4)).annotate({
  description:
    "1 to 4 parts: HEADER, BODY (always), FOOTER, BUTTONS. Authentication templates have the provider's text: BODY without one, and an OTP button."
})

/** Body of POST /v1/templates. gaps-2 G "Template routes", "Component shapes" */
export const CreateTemplate = Schema.Struct({
  name: TemplateName,
  language: TemplateLanguage,
  category: TemplateCategory,
  parameter_format: nullableOptional(ParameterFormat),
  components
})
  .annotate({
    examples: [
      {
        name: "order_shipped",
        language: "pt_BR",
        category: "utility",
        components: [
          {
            type: "BODY",
            text: "Olá {{1}}, seu pedido está a caminho.",
            example: { body_text: [["Maria"]] }
          },
          { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Obrigado" }] }
        ]
      }
    ]
  })
  .check(
    Schema.makeFilter(({ category, components, parameter_format = "POSITIONAL" }) => {
      const fault = componentsFault(storedComponents(components), parameter_format, category)
      return fault === undefined ? undefined : { path: ["components", ...fault.path], issue: fault.issue }
    })
  )
  .annotate({ identifier: "CreateTemplate" })
export type CreateTemplate = typeof CreateTemplate.Type

/**
 * Body of PATCH /v1/templates/{template_id}: at least one field. Components without a format are checked against the
 * template's own format. gaps-2 G "Template routes"
 */
export const UpdateTemplate = Schema.Struct({
  category: Schema.optionalKey(TemplateCategory),
  parameter_format: Schema.optionalKey(ParameterFormat),
  components: Schema.optionalKey(components)
})
  .annotate({ examples: [{ components: [{ type: "BODY", text: "Seu pedido está a caminho." }] }] })
  .check(
    Schema.makeFilter(({ category, components, parameter_format }) => {
      if (components === undefined || parameter_format === undefined) {
        const changes = [components, parameter_format, category].some((member) => member !== undefined)
        return changes ? undefined : { path: ["category"], issue: "at least one field to change" }
      }
      const fault = componentsFault(storedComponents(components), parameter_format, category)
      return fault === undefined ? undefined : { path: ["components", ...fault.path], issue: fault.issue }
    })
  )
  .annotate({ identifier: "UpdateTemplate" })
export type UpdateTemplate = typeof UpdateTemplate.Type

/** Body of POST /v1/templates/{template_id}/duplicate: another name, another language, or both. gaps-2 G "Template routes" */
export const DuplicateTemplate = Schema.Struct({
  name: nullableOptional(TemplateName),
  language: nullableOptional(TemplateLanguage)
})
  .annotate({ examples: [{ name: "order_shipped_again" }] })
  .check(
    Schema.makeFilter(({ language, name }) =>
      name === undefined && language === undefined
        ? { path: ["name"], issue: "another name, another language, or both" }
        : undefined
    )
  )
  .annotate({ identifier: "DuplicateTemplate" })
export type DuplicateTemplate = typeof DuplicateTemplate.Type

/** Body of POST /v1/sandbox/templates/{template_id}/status; unknown fields are ignored. M-TPL-12, M-TPL-13, U-TPL-06 */
export const SetTemplateStatus = Schema.Struct({
  status: nullableOptional(
    Schema.Literals(["rejected", "paused", "disabled"]).annotate({
      description: "New status of the template; required without category."
    })
  ),
  category: nullableOptional(
    Schema.Literals(["marketing", "utility"]).annotate({
      description: "Instead of status: the category to which the provider moves a template that it has."
    })
  ),
  rejection_reason: nullableOptional(
    text(1, 500).annotate({ description: "Reason, 1 to 500 characters; required with rejected." })
  )
})
  .annotate({
    examples: [
      { status: "rejected", rejection_reason: "Promotional wording in a utility template." },
      { category: "marketing" }
    ]
  })
  .check(
    Schema.makeFilter(({ category, rejection_reason, status }) => {
      if (status === undefined && category === undefined) {
        return { path: ["status"], issue: "rejected, paused or disabled; or a category" }
      }
      if (status !== undefined && category !== undefined) return { path: ["category"], issue: "nothing beside status" }
      return status === "rejected" && rejection_reason === undefined
        ? { path: ["rejection_reason"], issue: "required with rejected" }
        : undefined
    })
  )
  .annotate({ identifier: "SetTemplateStatus" })
export type SetTemplateStatus = typeof SetTemplateStatus.Type
