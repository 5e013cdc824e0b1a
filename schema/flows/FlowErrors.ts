import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a flow body breaks the contract. gaps-2 A "New error codes" */
export class InvalidFlowRequest extends apiError("invalid_flow_request", {
  status: 400,
  type: "validation_error",
  message: "The flow request is invalid."
}) {}

/** Refuses a definition without a version or screens, with two screens of one id, or over 1 MiB. M-FLOW-15 */
export class InvalidFlowJson extends apiError("invalid_flow_json", {
  status: 400,
  type: "validation_error",
  message: "flow_json must hold a version and at least one screen, each screen with an id of its own, in at most 1 MiB."
}) {}

/**
 * Refuses when the calling key's environment has no such flow, or none that a send may use. gaps-2 G "Flow named in a
 * send"
 */
export class FlowNotFound extends apiError("flow_not_found", {
  status: 404,
  type: "not_found",
  message: "No flow like this in this environment; a message can open published flows only."
}) {}

/** Refuses to change a flow other than a draft or a rejected one. gaps-2 G "Flow routes" */
export class FlowNotEditable extends apiError("flow_not_editable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected flow can be changed; create another one instead."
}) {}

/** Refuses to publish a flow other than a draft or a rejected one. gaps-2 G "Flow routes" */
export class FlowNotPublishable extends apiError("flow_not_publishable", {
  status: 409,
  type: "conflict",
  message: "Only a draft or a rejected flow can be published."
}) {}

/** Refuses to deprecate a flow that is not published. gaps-2 G "Flow routes" */
export class FlowNotDeprecatable extends apiError("flow_not_deprecatable", {
  status: 409,
  type: "conflict",
  message: "Only a published flow can be deprecated."
}) {}

/** Refuses to delete a flow other than a draft. gaps-2 G "Flow routes" */
export class FlowNotDeletable extends apiError("flow_not_deletable", {
  status: 409,
  type: "conflict",
  message: "Only a draft can be deleted; deprecate a published flow instead."
}) {}
