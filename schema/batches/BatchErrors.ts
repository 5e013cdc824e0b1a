import { apiError } from "../conventions/ApiError.ts"

/** A batch body breaks the contract; `param` names the field. gaps-2 A "New error codes" */
export class InvalidBatchRequest extends apiError("invalid_batch_request", {
  status: 400,
  type: "validation_error",
  message: "The batch request is not valid."
}) {}

/** Absent and foreign ids answer alike. gaps-2 A "New error codes" */
export class BatchNotFound extends apiError("batch_not_found", {
  status: 404,
  type: "not_found",
  message: "No batch with this id."
}) {}

/** The batch cannot go there from where it stands. gaps-2 H "Pause, resume, cancel" */
export class BatchStateConflict extends apiError("batch_state_conflict", {
  status: 409,
  type: "conflict",
  message: "The batch is past the state in which this is possible; read it to see where it stands."
}) {}

/** An audience body breaks the contract; `param` names the field. gaps-2 A "New error codes" */
export class InvalidAudienceRequest extends apiError("invalid_audience_request", {
  status: 400,
  type: "validation_error",
  message: "The audience request is not valid."
}) {}

/** Absent and foreign ids answer alike; a batch names `audience_id`. gaps-2 A "New error codes" */
export class AudienceNotFound extends apiError("audience_not_found", {
  status: 404,
  type: "not_found",
  message: "No audience with this id."
}) {}
