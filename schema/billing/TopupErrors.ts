import { apiError } from "../conventions/ApiError.ts"

/** Refuses when the account has no such top-up. */
export class TopupNotFound extends apiError("credit_topup_not_found", {
  status: 404,
  type: "not_found",
  message: "No top-up with this id."
}) {}
