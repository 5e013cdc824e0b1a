import { apiError } from "../conventions/ApiError.ts"

/** Refuses when the body breaks a rule or cannot be safely redacted; the report is not stored. A-FBK-19, A-FBK-20 */
export class InvalidFeedbackReportRequest extends apiError("invalid_feedback_report_request", {
  status: 400,
  type: "validation_error",
  message: "The feedback report is invalid or holds something that cannot be safely redacted."
}) {}

/** Refuses a missing, foreign, dashboard-origin or purged report. A-FBK-35 */
export class FeedbackReportNotFound extends apiError("feedback_report_not_found", {
  status: 404,
  type: "not_found",
  message: "No feedback report with this id."
}) {}

/** Refuses an invalid limit or query. A-FBK-37 */
export class InvalidQuery extends apiError("invalid_query", {
  status: 400,
  type: "validation_error",
  message: "The query is invalid."
}) {}

/** Refuses when the Idempotency-Key is missing or blank. A-IDEM-11 */
export class MissingIdempotencyKey extends apiError("missing_idempotency_key", {
  status: 400,
  type: "validation_error",
  message: "Feedback needs an Idempotency-Key header."
}) {}

/**
 * Refuses a transition that the report's status does not allow: a report goes into review, then ends; reopening returns
 * it to review. gaps-1 H "Status and disposition values"
 */
export class ReportStatusConflict extends apiError("feedback_report_status_conflict", {
  status: 409,
  type: "conflict",
  message: "The report changed meanwhile; look at it again."
}) {}
