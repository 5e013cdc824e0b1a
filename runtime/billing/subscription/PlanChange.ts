import { PaymentMethodRequired } from "@carteiro/schema/billing/BillingErrors.ts"
import {
  PlanAlreadyCurrent,
  PlanOfferingNotFound,
  PlanPhoneLimitReached,
  SubscribeNeedsPaymentMethod,
  SubscriptionAlreadyActive,
  SubscriptionChangePending,
  SubscriptionNotFound
} from "@carteiro/schema/billing/PlanErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { proration } from "./Proration.ts"
import {
  type BillingRail,
  feeOf,
  type Invoice,
  type InvoiceDraft,
  type PlanFees,
  type Subscription,
  type Transition
} from "./Subscription.ts"
import { ended, scheduled } from "./SubscriptionClock.ts"

/** A plan of the catalog, with the parts that the rules use. */
export interface Offering extends PlanFees {
  /** Null for no limit. */
  readonly max_phones: number | null
}

/** The facts that decide a command. */
export interface PlanContext {
  readonly plans: ReadonlyMap<string, Offering>
  /** The invoice that is being charged. */
  readonly open: Invoice | undefined
  /** The numbers that count towards a plan. gaps-3 E "Phone count for plan_phone_limit_reached" */
  readonly phones: number
  /** True when there is an active default card. */
  readonly hasCard: boolean
  readonly now: number
}

/** The decision on a command: a refusal, or the changes to write. */
export type Wished = { readonly refusal: ApiError } | Transition

/**
 * Returns the first invoice, or the refusal of the first failed check of subscribe. C-PLAN-12, gaps-3 E "Subscribe
 * details"
 */
export const subscribe = (
  subscription: Subscription,
  wish: { readonly plan_offering_id: string; readonly rail: BillingRail },
  context: PlanContext
): { readonly refusal: ApiError } | { readonly draft: InvoiceDraft } => {
  const plan = context.plans.get(wish.plan_offering_id)
  if (plan === undefined) return { refusal: new PlanOfferingNotFound() }
  if (subscription.status === "active" || subscription.status === "past_due")
    return { refusal: new SubscriptionAlreadyActive() }
  if (context.open !== undefined) return { refusal: new SubscriptionChangePending() }
  if (!fits(plan, context.phones)) return { refusal: new PlanPhoneLimitReached() }
  const byCard = wish.rail === "cardproc_card"
  if (byCard && !context.hasCard) return { refusal: new SubscribeNeedsPaymentMethod() }
  return {
    draft: {
      kind: "first",
      plan_offering_id: plan.id,
      billing_rail: wish.rail,
      charged_by: byCard ? "card" : "pix",
      amount: feeOf(plan, wish.rail),
      expires_at: byCard ? null : context.now + dayMs,
      period_end: null,
      from_plan_offering_id: null
    }
  }
}

/**
 * Returns the result of a plan change: a higher fee is charged for the rest of the period and the plan applies once it
 * is paid; a lower plan applies with the next renewal. C-PLAN-17..19, gaps-3 E "Change details"
 */
export const change = (subscription: Subscription, planId: string, context: PlanContext): Wished => {
  const { billing_rail, current_period_end: end, current_period_start: start, status } = subscription
  const current = context.plans.get(subscription.plan_offering_id ?? "")
  if ((status !== "active" && status !== "past_due") || current === undefined || billing_rail === null)
    return { refusal: new SubscriptionNotFound() }
  const wished = context.plans.get(planId)
  if (wished === undefined) return { refusal: new PlanOfferingNotFound() }
  if (status === "past_due" || start === null || end === null) return { refusal: new SubscriptionChangePending() }
  if (wished.id === current.id) {
    if (!subscription.cancel_at_period_end) return { refusal: new PlanAlreadyCurrent() }
    return { subscription: scheduled({ ...subscription, cancel_at_period_end: false }, context.open) }
  }
  if (context.open !== undefined) return { refusal: new SubscriptionChangePending() }
  if (!fits(wished, context.phones)) return { refusal: new PlanPhoneLimitReached() }
  const difference = feeOf(wished, billing_rail) - feeOf(current, billing_rail)
  if (difference <= 0) {
    const lowered = { ...subscription, pending_plan_offering_id: wished.id, cancel_at_period_end: false }
    return { subscription: scheduled(lowered, undefined) }
  }
  if (!context.hasCard) return { refusal: new PaymentMethodRequired() }
  const draft: InvoiceDraft = {
    kind: "upgrade",
    plan_offering_id: wished.id,
    billing_rail,
    charged_by: "card",
    amount: proration(difference, { start, end }, context.now),
    expires_at: null,
    period_end: end,
    from_plan_offering_id: current.id
  }
  return { subscription: scheduled({ ...subscription, pending_plan_offering_id: null }, draft), draft }
}

/**
 * Returns the result of a cancellation: the subscription ends with its period, or at once while it is past due.
 * C-PLAN-20..22, gaps-3 E "Cancel details"
 */
export const cancel = (subscription: Subscription, open: Invoice | undefined, now: number): Wished => {
  const { cancel_at_period_end, status } = subscription
  if (status === "past_due") return ended(subscription, now)
  if (status !== "active") return { refusal: new SubscriptionNotFound() }
  if (cancel_at_period_end) return { subscription }
  const cancelled = { ...subscription, cancel_at_period_end: true, pending_plan_offering_id: null }
  return { subscription: scheduled(cancelled, open) }
}

const fits = (plan: Offering, phones: number): boolean => plan.max_phones === null || phones <= plan.max_phones
