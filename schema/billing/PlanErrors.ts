import { apiError } from "../conventions/ApiError.ts"

/** Refuses when the catalog has no such plan. gaps-3 A "Codes for the other billing and payment routes" */
export class PlanOfferingNotFound extends apiError("plan_offering_not_found", {
  status: 404,
  type: "not_found",
  message: "No plan with this id; GET /v1/billing/plans lists them."
}) {}

/** Refuses a change or cancel without a subscription. C-PLAN-22, C-ERR-14 */
export class SubscriptionNotFound extends apiError("subscription_not_found", {
  status: 404,
  type: "not_found",
  message: "There is no subscription; subscribe to a plan first.",
  feedback: true
}) {}

/** Refuses when a plan is already subscribed. gaps-3 E "Subscribe details" */
export class SubscriptionAlreadyActive extends apiError("subscription_already_active", {
  status: 409,
  type: "conflict",
  message: "A plan is subscribed already; change it instead."
}) {}

/** Refuses while an invoice is unpaid. gaps-3 E "Subscribe details", "Change details" */
export class SubscriptionChangePending extends apiError("subscription_change_pending", {
  status: 409,
  type: "conflict",
  message: "A payment for the subscription is not settled yet; read GET /v1/billing/plan and try again."
}) {}

/** Refuses a change to the plan in force. gaps-3 E "Change details" */
export class PlanAlreadyCurrent extends apiError("plan_already_current", {
  status: 409,
  type: "conflict",
  message: "This plan is the current one."
}) {}

/** Refuses when the plan allows fewer numbers than exist, or one more would exceed it. C-PLAN-23, C-ERR-15 */
export class PlanPhoneLimitReached extends apiError("plan_phone_limit_reached", {
  status: 402,
  type: "payment_required",
  message: "The plan does not allow that many phone numbers; choose a larger one or remove numbers."
}) {}

/** Refuses a subscription by card without a card to charge. C-PLAN-16, C-ERR-14 */
export class SubscribeNeedsPaymentMethod extends apiError("payment_method_required", {
  status: 402,
  type: "payment_required",
  message: "Save a card and make it the default, then subscribe again.",
  feedback: true
}) {}
