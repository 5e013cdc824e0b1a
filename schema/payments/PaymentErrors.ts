import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a body of a payment or agentic route breaks the contract; `param` names the field. C-ERR-11 */
export class InvalidPaymentRequest extends apiError("invalid_payment_request", {
  status: 400,
  type: "validation_error",
  message: "The payment request is not valid."
}) {}

/** Refuses when a query of a payment or agentic list breaks the contract. gaps-3 A "Validation code of each route" */
export class InvalidPaymentsQuery extends apiError("invalid_payments_query", {
  status: 400,
  type: "validation_error",
  message: "The payments query is not valid."
}) {}

/** Refuses when the fees of a payment are unknown at present. C-FEE-24, C-ERR-10 */
export class PaymentFeePricingUnavailable extends apiError("payment_fee_pricing_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "The fees of payments cannot be read now; nothing was created or charged. Try again later.",
  feedback: true
}) {}

/** Refuses when the balance does not cover the up-front cost of a payment. C-FEE-22, C-ERR-09 */
export class InsufficientPaymentBalance extends apiError("insufficient_balance", {
  status: 402,
  type: "payment_required",
  message: "The credit balance does not cover the fees of this payment; add credit and try again with the same key.",
  feedback: true
}) {}

/**
 * Refuses when the environment has no connected account for agentic payments. gaps-3 A "Codes for the other billing and
 * payment routes"
 */
export class AgenticConnectionRequired extends apiError("agentic_connection_required", {
  status: 409,
  type: "conflict",
  message: "Connect an account for agentic payments to this environment first."
}) {}

/** Refuses when the provider has no such bank. gaps-3 A "Codes for the other billing and payment routes" */
export class AgenticBankNotFound extends apiError("agentic_bank_not_found", {
  status: 404,
  type: "not_found",
  message: "No bank of this id takes authorizations; GET /v1/agentic/banks lists them."
}) {}

/**
 * Refuses when the calling key's environment has no such authorization. gaps-3 A "Codes for the other billing and
 * payment routes"
 */
export class AgenticAuthorizationNotFound extends apiError("agentic_authorization_not_found", {
  status: 404,
  type: "not_found",
  message: "No authorization of this id in this environment."
}) {}

/** Refuses when the customer has not authorized it, or when it has ended. gaps-3 C "Agentic payments" */
export class AgenticAuthorizationNotActive extends apiError("agentic_authorization_not_active", {
  status: 409,
  type: "conflict",
  message: "The authorization is not authorized: its customer has not given it, or it is over."
}) {}

/**
 * Refuses when the calling key's environment has no such agentic payment. gaps-3 A "Codes for the other billing and
 * payment routes"
 */
export class AgenticPaymentNotFound extends apiError("agentic_payment_not_found", {
  status: 404,
  type: "not_found",
  message: "No agentic payment of this id in this environment."
}) {}

/**
 * Refuses when the calling key's environment has no such payment. gaps-3 A "Codes for the other billing and payment
 * routes"
 */
export class PaymentNotFound extends apiError("payment_not_found", {
  status: 404,
  type: "not_found",
  message: "No payment of this id in this environment."
}) {}

/** Refuses to change a payment that has ended. gaps-3 A "Codes for the other billing and payment routes" */
export class PaymentAlreadyTerminal extends apiError("payment_already_terminal", {
  status: 409,
  type: "conflict",
  message: "The payment has ended; nothing changes it any more."
}) {}

/**
 * Refuses a production payment without a connected merchant account at a provider. gaps-3 C "Which provider a payment
 * uses"
 */
export class PaymentProviderConnectionRequired extends apiError("payment_provider_connection_required", {
  status: 409,
  type: "conflict",
  message: "Connect an account for payments to this environment first; nothing was created or charged."
}) {}

/** Refuses when the provider does not support approvals. gaps-3 C "approval_requested and approved" */
export class PaymentApprovalUnsupported extends apiError("payment_approval_unsupported", {
  status: 400,
  type: "validation_error",
  message: "The provider of this payment takes no requests for approval."
}) {}

/** Refuses to cancel a Pix code, or a payment of a provider without cancellation. C-PCAN-07, C-ERR-11 */
export class PaymentCancellationUnsupported extends apiError("payment_cancellation_unsupported", {
  status: 400,
  type: "validation_error",
  message: "This payment cannot be cancelled: it ends when its provider confirms an outcome, such as its expiry.",
  feedback: true
}) {}

/** Refuses while the provider has not created the link. C-PCAN-06, C-ERR-12 */
export class PaymentLinkNotReady extends apiError("payment_link_not_ready", {
  status: 409,
  type: "conflict",
  message: "The link of this payment is not ready yet; wait for payment.link_generated, then try again."
}) {}
