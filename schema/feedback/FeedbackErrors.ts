import { apiError } from "../conventions/ApiError.ts"

/** The body breaks a rule or cannot be safely redacted; nothing is stored. A-FBK-19, A-FBK-20 */
export class InvalidFeedbackReportRequest extends apiError("invalid_feedback_report_request", {
  status: 400,
  type: "validation_error",
  message: "The feedback report is invalid or holds something that cannot be safely redacted."
}) {}

/** A missing, foreign, dashboard-origin or purged report. A-FBK-35 */
export class FeedbackReportNotFound extends apiError("feedback_report_not_found", {
  status: 404,
  type: "not_found",
  message: "No feedback report with this id."
}) {}

/** An invalid limit or query shape. A-FBK-37 */
export class InvalidQuery extends apiError("invalid_query", {
  status: 400,
  type: "validation_error",
  message: "The query is invalid."
}) {}

/** Feedback needs an Idempotency-Key that is not blank. A-IDEM-11 */
export class MissingIdempotencyKey extends apiError("missing_idempotency_key", {
  status: 400,
  type: "validation_error",
  message: "Feedback needs an Idempotency-Key header."
}) {}

/** A report goes into review, then to an end; reopening goes back into review. gaps-1 H "Status and disposition values" */
export class ReportStatusConflict extends apiError("feedback_report_status_conflict", {
  status: 409,
  type: "conflict",
  message: "The report changed meanwhile; look at it again."
}) {}
