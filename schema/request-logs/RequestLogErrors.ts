import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a filter of the list breaks its shape. gaps-1 A "Validation code of each route" */
export class InvalidRequestLogsQuery extends apiError("invalid_request_logs_query", {
  status: 400,
  type: "validation_error",
  message: "The query of the request log is invalid; the documentation lists its filters."
}) {}

/** Refuses when a request is missing, foreign, left out by sampling, or older than the log's retention. */
export class RequestLogNotFound extends apiError("request_log_not_found", {
  status: 404,
  type: "not_found",
  message: "No request with this id is in the log: it may be sampled out, or older than the log is kept."
}) {}
