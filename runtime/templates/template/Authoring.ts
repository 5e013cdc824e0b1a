import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { authenticationForm } from "@carteiro/schema/templates/AuthenticationForm.ts"
import { componentsFault } from "@carteiro/schema/templates/ComponentFaults.ts"
import {
  InvalidTemplateRequest,
  TemplateNotEditable,
  TemplateNotSubmittable
} from "@carteiro/schema/templates/TemplateErrors.ts"
import { editTemplate, submitTemplate } from "./TemplateLife.ts"
import type { ContentChange, TemplateContent, TemplateState } from "./TemplateState.ts"

/** The content of a new template. */
export interface NewTemplate extends TemplateContent {
  readonly id: string
  readonly version_id: string
  readonly environment: EnvironmentKind
  readonly name: string
  readonly language: string
  readonly trace_id: string
}

/** Returns a draft that was never submitted; `now` in epoch milliseconds. gaps-2 G "Template routes" */
export const newTemplate = (environment_id: string, made: NewTemplate, now: number): TemplateState => ({
  environment_id,
  id: made.id,
  environment: made.environment,
  name: made.name,
  language: made.language,
  newest: {
    id: made.version_id,
    version: 1,
    status: "draft",
    category: made.category,
    parameter_format: made.parameter_format,
    components: made.components,
    rejection_reason: null,
    submitted_at: null,
    approved_at: null,
    created_at: now,
    updated_at: now
  },
  approved: undefined,
  provider_template_id: null,
  provider_quality: "unknown",
  due_at: null,
  attempts: 0,
  trace_id: made.trace_id,
  deleted_at: null,
  created_at: now,
  updated_at: now
})

/** Returns a template that the provider approved before; `now` in epoch milliseconds. U-TPL-08 */
export const importedTemplate = (
  environment_id: string,
  made: NewTemplate & Pick<TemplateState, "provider_quality" | "provider_template_id">,
  now: number
): TemplateState => {
  const draft = newTemplate(environment_id, made, now)
  const approved = { ...draft.newest, status: "approved", approved_at: now } as const
  const { provider_quality, provider_template_id } = made
  return { ...draft, newest: approved, approved, provider_quality, provider_template_id }
}

/**
 * Returns the template as its author changes it. Refuses a template in review, and components that are not written in
 * its format. gaps-2 G "Template routes"
 */
export const changeTemplate = (
  template: TemplateState,
  change: ContentChange & { readonly version_id: string },
  now: number
): TemplateState | ApiError =>
  formatFault(change, template.newest) ??
  editTemplate(template, change, { version_id: change.version_id, now }) ??
  new TemplateNotEditable()

/**
 * Returns the template in review. Refuses a version that waits for none, and an authentication template with a text of
 * its own, which an earlier release may have stored. U-TPL-04, gaps-2 G "Template routes"
 */
export const sendForReview = (
  template: TemplateState,
  call: { readonly trace_id: string; readonly now: number }
): TemplateState | ApiError => {
  const submitted = submitTemplate(template, call)
  if (submitted === undefined) return new TemplateNotSubmittable()
  const { category, components, parameter_format } = template.newest
  return category === "authentication" && componentsFault(components, parameter_format, category) !== undefined
    ? new TemplateNotSubmittable({ message: `${authenticationForm} Change its components first.` })
    : submitted
}

/** Checks changed components, a changed format or category against the template's other parts. */
const formatFault = (change: ContentChange, newest: TemplateContent): InvalidTemplateRequest | undefined => {
  const { category, components, parameter_format } = change
  // Only authentication templates have a form of their own.
  const isMoved = category !== undefined && (category === "authentication") !== (newest.category === "authentication")
  if (components === undefined && parameter_format === undefined && !isMoved) return undefined
  const fault = componentsFault(
    components ?? newest.components,
    parameter_format ?? newest.parameter_format,
    category ?? newest.category
  )
  if (fault === undefined) return undefined
  if (components === undefined && isMoved) {
    const message = `The components of the template are not written for this category; send both. ${authenticationForm}`
    return new InvalidTemplateRequest({ param: "category", message })
  }
  if (components === undefined) {
    return new InvalidTemplateRequest({
      param: "parameter_format",
      message: "The components of the template are not written in this format; send both."
    })
  }
  const param = ["components", ...fault.path].join(".")
  return new InvalidTemplateRequest({ param, message: `${param}: expected ${fault.issue}.` })
}
