import { apiError } from "../conventions/ApiError.ts"

/**
 * Refuses when a body of a billing route breaks the contract; `param` names the field. gaps-3 A "Validation code of
 * each route"
 */
export class InvalidBillingRequest extends apiError("invalid_billing_request", {
  status: 400,
  type: "validation_error",
  message: "The billing request is not valid."
}) {}

/** Refuses when a query of a billing route breaks the contract. gaps-3 A "Validation code of each route" */
export class InvalidBillingQuery extends apiError("invalid_billing_query", {
  status: 400,
  type: "validation_error",
  message: "The billing query is not valid."
}) {}

/** Refuses when no rate card is in effect. gaps-3 A "Codes for the other billing and payment routes" */
export class RateCardNotFound extends apiError("rate_card_not_found", {
  status: 404,
  type: "not_found",
  message: "No rate card is in effect now."
}) {}

/** Refuses when the balance does not cover an up-front charge. C-ERR-09 */
export class InsufficientBalance extends apiError("insufficient_balance", {
  status: 402,
  type: "payment_required",
  message: "The credit balance does not cover this; add credit and try again."
}) {}

/** gaps-3 E "Purchase outcomes" */
export class PackageNotFound extends apiError("package_not_found", {
  status: 404,
  type: "not_found",
  message: "No package has this code; GET /v1/billing/packages lists them."
}) {}

/** gaps-3 E "Purchase outcomes" */
export class PaymentMethodNotFound extends apiError("payment_method_not_found", {
  status: 404,
  type: "not_found",
  message: "No saved card has this id."
}) {}

/** gaps-3 E "Purchase outcomes" */
export class PaymentMethodNotActive extends apiError("payment_method_not_active", {
  status: 409,
  type: "conflict",
  message: "This card was deleted; save it again to use it."
}) {}

/**
 * Refuses when an account has no card to charge. gaps-3 E "Purchase outcomes", C-ATOP-05. On subscribe, the error also
 * points to feedback. C-ERR-14
 */
export class PaymentMethodRequired extends apiError("payment_method_required", {
  status: 402,
  type: "payment_required",
  message: "A saved card is needed: save one, or name one."
}) {}

/** gaps-3 E "Saved cards" */
export class PaymentMethodLimitReached extends apiError("payment_method_limit_reached", {
  status: 409,
  type: "conflict",
  message: "An account has at most 10 active cards; delete one first."
}) {}

/** gaps-3 E "Purchase outcomes", "Saved cards" */
export class CardDeclined extends apiError("card_declined", {
  status: 402,
  type: "payment_required",
  message: "The card was declined; use another, or ask its bank."
}) {}

/** gaps-3 A "Codes for the other billing and payment routes" */
export class BillingProviderNotConfigured extends apiError("billing_provider_not_configured", {
  status: 503,
  type: "internal_error",
  message: "No card processor is set up here."
}) {}
