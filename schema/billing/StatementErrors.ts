import { apiError } from "../conventions/ApiError.ts"

/** Refuses a month that is none, or has not begun. */
export class StatementNotFound extends apiError("statement_not_found", {
  status: 404,
  type: "not_found",
  message: "There is no statement of this month."
}) {}
