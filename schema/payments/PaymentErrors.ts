import { apiError } from "../conventions/ApiError.ts"

/** A body of a payment or agentic route breaks the contract; `param` names the field. C-ERR-11 */
export class InvalidPaymentRequest extends apiError("invalid_payment_request", {
  status: 400,
  type: "validation_error",
  message: "The payment request is not valid."
}) {}

/** A query of a payment or agentic list breaks the contract. gaps-3 A "Validation code of each route" */
export class InvalidPaymentsQuery extends apiError("invalid_payments_query", {
  status: 400,
  type: "validation_error",
  message: "The payments query is not valid."
}) {}

/** Nobody knows what the fees of a payment are now. C-FEE-24, C-ERR-10 */
export class PaymentFeePricingUnavailable extends apiError("payment_fee_pricing_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "The fees of payments cannot be read now; nothing was created or charged. Try again later.",
  feedback: true
}) {}

/** The balance does not cover what a payment costs up front. C-FEE-22, C-ERR-09 */
export class InsufficientPaymentBalance extends apiError("insufficient_balance", {
  status: 402,
  type: "payment_required",
  message: "The credit balance does not cover the fees of this payment; add credit and try again with the same key.",
  feedback: true
}) {}

/** The environment has no connected account for payments that agents make. gaps-3 A "Codes for the other billing and payment routes" */
export class AgenticConnectionRequired extends apiError("agentic_connection_required", {
  status: 409,
  type: "conflict",
  message: "Connect an account for agentic payments to this environment first."
}) {}

/** No such bank at the provider. gaps-3 A "Codes for the other billing and payment routes" */
export class AgenticBankNotFound extends apiError("agentic_bank_not_found", {
  status: 404,
  type: "not_found",
  message: "No bank of this id takes authorizations; GET /v1/agentic/banks lists them."
}) {}

/** No such authorization in the calling key's environment. gaps-3 A "Codes for the other billing and payment routes" */
export class AgenticAuthorizationNotFound extends apiError("agentic_authorization_not_found", {
  status: 404,
  type: "not_found",
  message: "No authorization of this id in this environment."
}) {}

/** Its customer has not given it, or it is over. gaps-3 C "Agentic payments" */
export class AgenticAuthorizationNotActive extends apiError("agentic_authorization_not_active", {
  status: 409,
  type: "conflict",
  message: "The authorization is not authorized: its customer has not given it, or it is over."
}) {}

/** No such agentic payment in the calling key's environment. gaps-3 A "Codes for the other billing and payment routes" */
export class AgenticPaymentNotFound extends apiError("agentic_payment_not_found", {
  status: 404,
  type: "not_found",
  message: "No agentic payment of this id in this environment."
}) {}

/** No such payment in the calling key's environment. gaps-3 A "Codes for the other billing and payment routes" */
export class PaymentNotFound extends apiError("payment_not_found", {
  status: 404,
  type: "not_found",
  message: "No payment of this id in this environment."
}) {}

/** It has ended, and what has ended stays as it is. gaps-3 A "Codes for the other billing and payment routes" */
export class PaymentAlreadyTerminal extends apiError("payment_already_terminal", {
  status: 409,
  type: "conflict",
  message: "The payment has ended; nothing changes it any more."
}) {}

/** Production payments go through a merchant's account at a provider. gaps-3 C "Which provider a payment uses" */
export class PaymentProviderConnectionRequired extends apiError("payment_provider_connection_required", {
  status: 409,
  type: "conflict",
  message: "Connect an account for payments to this environment first; nothing was created or charged."
}) {}

/** The provider knows no approvals. gaps-3 C "approval_requested and approved" */
export class PaymentApprovalUnsupported extends apiError("payment_approval_unsupported", {
  status: 400,
  type: "validation_error",
  message: "The provider of this payment takes no requests for approval."
}) {}

/** A code cannot be taken back, and some providers take back nothing. C-PCAN-07, C-ERR-11 */
export class PaymentCancellationUnsupported extends apiError("payment_cancellation_unsupported", {
  status: 400,
  type: "validation_error",
  message: "This payment cannot be cancelled: it ends when its provider confirms an outcome, such as its expiry.",
  feedback: true
}) {}

/** The provider has not made the link yet. C-PCAN-06, C-ERR-12 */
export class PaymentLinkNotReady extends apiError("payment_link_not_ready", {
  status: 409,
  type: "conflict",
  message: "The link of this payment is not ready yet; wait for payment.link_generated, then try again."
}) {}
