import { apiError } from "../conventions/ApiError.ts"

/** A flow body breaks the contract. gaps-2 A "New error codes" */
export class InvalidFlowRequest extends apiError("invalid_flow_request", {
  status: 400,
  type: "validation_error",
  message: "The flow request is invalid."
}) {}

/** The definition is no flow: no version, no screens, two screens of one id, or over 1 MiB. M-FLOW-15 */
export class InvalidFlowJson extends apiError("invalid_flow_json", {
  status: 400,
  type: "validation_error",
  message: "flow_json must hold a version and at least one screen, each screen with an id of its own, in at most 1 MiB."
}) {}

/** No such flow in the calling key's environment, or none that a send may name. gaps-2 G "Flow named in a send" */
export class FlowNotFound extends apiError("flow_not_found", {
  status: 404,
  type: "not_found",
  message: "No flow like this in this environment; a message can open published flows only."
}) {}

/** Only a draft or a rejected flow can be changed. gaps-2 G "Flow routes" */
export class FlowNotEditable extends apiError("flow_not_editable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected flow can be changed; create another one instead."
}) {}

/** Only a draft or a rejected flow can be published. gaps-2 G "Flow routes" */
export class FlowNotPublishable extends apiError("flow_not_publishable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected flow can be published."
}) {}

/** Only a published flow can be deprecated. gaps-2 G "Flow routes" */
export class FlowNotDeprecatable extends apiError("flow_not_deprecatable", {
  status: 409,
  type: "conflict",
  message: "Only a published flow can be deprecated."
}) {}

/** Only a draft can be deleted. gaps-2 G "Flow routes" */
export class FlowNotDeletable extends apiError("flow_not_deletable", {
  status: 409,
  type: "conflict",
  message: "Only a draft can be deleted; deprecate a published flow instead."
}) {}
