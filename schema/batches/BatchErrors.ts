import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a batch body breaks the contract; `param` names the field. gaps-2 A "New error codes" */
export class InvalidBatchRequest extends apiError("invalid_batch_request", {
  status: 400,
  type: "validation_error",
  message: "The batch request is not valid."
}) {}

/** Refuses when a batch does not exist or belongs to another environment. gaps-2 A "New error codes" */
export class BatchNotFound extends apiError("batch_not_found", {
  status: 404,
  type: "not_found",
  message: "No batch with this id."
}) {}

/** Refuses a transition that the batch's state does not allow. gaps-2 H "Pause, resume, cancel" */
export class BatchStateConflict extends apiError("batch_state_conflict", {
  status: 409,
  type: "conflict",
  message: "The batch is past the state in which this is possible; read it to see its status."
}) {}

/** Refuses when an audience body breaks the contract; `param` names the field. gaps-2 A "New error codes" */
export class InvalidAudienceRequest extends apiError("invalid_audience_request", {
  status: 400,
  type: "validation_error",
  message: "The audience request is not valid."
}) {}

/**
 * Refuses when an audience does not exist or belongs to another environment; a batch gets `audience_id` as `param`.
 * gaps-2 A "New error codes"
 */
export class AudienceNotFound extends apiError("audience_not_found", {
  status: 404,
  type: "not_found",
  message: "No audience with this id."
}) {}
