import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a template body breaks the contract. gaps-2 A "New error codes", gaps-2 G "Component shapes" */
export class InvalidTemplateRequest extends apiError("invalid_template_request", {
  status: 400,
  type: "validation_error",
  message: "The template request is not valid."
}) {}

/**
 * Refuses when the calling key's environment has no such template, or when it was deleted. gaps-2 A "New error codes",
 * gaps-2 B "Template resolution"
 */
export class TemplateNotFound extends apiError("template_not_found", {
  status: 404,
  type: "not_found",
  message: "No template of this environment matches; GET /v1/templates lists them."
}) {}

/** Refuses when the name is in use with this language. gaps-2 G "Template routes" */
export class TemplateNameTaken extends apiError("template_name_taken", {
  status: 409,
  type: "conflict",
  message: "A template of this name and language exists; change it, or take another name."
}) {}

/** Refuses a change during the review, or after the template has ended. gaps-2 G "Template routes" */
export class TemplateNotEditable extends apiError("template_not_editable", {
  status: 409,
  type: "conflict",
  message: "Only templates that are draft, rejected, approved or paused can be changed."
}) {}

/** Refuses when no change of the template waits for review. gaps-2 G "Template routes" */
export class TemplateNotSubmittable extends apiError("template_not_submittable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected template can be submitted; change it first."
}) {}

/** Refuses when no version of the template is approved. gaps-2 B "Template resolution" */
export class TemplateNotApproved extends apiError("template_not_approved", {
  status: 409,
  type: "conflict",
  message: "No version of this template is approved; submit it and wait for template.approved."
}) {}

/** Refuses when a send's parameters differ from those of the approved version. M-MSG-35..38 */
export class TemplateParamMismatch extends apiError("template_param_mismatch", {
  status: 400,
  type: "validation_error",
  message: "The parameters do not match the approved template."
}) {}

/** Refuses an import into an environment whose templates no account reviews. U-TPL-08 */
export class TemplateProviderConnectionRequired extends apiError("template_provider_connection_required", {
  status: 409,
  type: "conflict",
  message: "No account of the chat platform is connected; connect one, then import its templates."
}) {}
