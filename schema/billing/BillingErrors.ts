import { apiError } from "../conventions/ApiError.ts"

/** A body of a billing route breaks the contract; `param` names the field. gaps-3 A "Validation code of each route" */
export class InvalidBillingRequest extends apiError("invalid_billing_request", {
  status: 400,
  type: "validation_error",
  message: "The billing request is not valid."
}) {}

/** A query of a billing route breaks the contract. gaps-3 A "Validation code of each route" */
export class InvalidBillingQuery extends apiError("invalid_billing_query", {
  status: 400,
  type: "validation_error",
  message: "The billing query is not valid."
}) {}

/** No rate card is in effect. gaps-3 A "Codes for the other billing and payment routes" */
export class RateCardNotFound extends apiError("rate_card_not_found", {
  status: 404,
  type: "not_found",
  message: "No rate card is in effect now."
}) {}

/** The balance does not cover what is charged up front. C-ERR-09 */
export class InsufficientBalance extends apiError("insufficient_balance", {
  status: 402,
  type: "payment_required",
  message: "The credit balance does not cover this; add credit and try again."
}) {}
