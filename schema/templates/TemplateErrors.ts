import { apiError } from "../conventions/ApiError.ts"

/** A template body breaks the contract. gaps-2 A "New error codes", gaps-2 G "Component shapes" */
export class InvalidTemplateRequest extends apiError("invalid_template_request", {
  status: 400,
  type: "validation_error",
  message: "The template request is not valid."
}) {}

/** No such template in the calling key's environment, or it was deleted. gaps-2 A "New error codes", gaps-2 B "Template resolution" */
export class TemplateNotFound extends apiError("template_not_found", {
  status: 404,
  type: "not_found",
  message: "No template of this environment matches; GET /v1/templates lists them."
}) {}

/** The name is in use with this language. gaps-2 G "Template routes" */
export class TemplateNameTaken extends apiError("template_name_taken", {
  status: 409,
  type: "conflict",
  message: "A template of this name and language exists; change it, or take another name."
}) {}

/** Its review is under way, or it is over for good. gaps-2 G "Template routes" */
export class TemplateNotEditable extends apiError("template_not_editable", {
  status: 409,
  type: "conflict",
  message: "Only templates that are draft, rejected, approved or paused can be changed."
}) {}

/** Nothing of it waits to be reviewed. gaps-2 G "Template routes" */
export class TemplateNotSubmittable extends apiError("template_not_submittable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected template can be submitted; change it first."
}) {}

/** No version of the template is approved. gaps-2 B "Template resolution" */
export class TemplateNotApproved extends apiError("template_not_approved", {
  status: 409,
  type: "conflict",
  message: "No version of this template is approved; submit it and wait for template.approved."
}) {}

/** A send's parameters are not those of the approved version. M-MSG-35..38 */
export class TemplateParamMismatch extends apiError("template_param_mismatch", {
  status: 400,
  type: "validation_error",
  message: "The parameters do not match the approved template."
}) {}
