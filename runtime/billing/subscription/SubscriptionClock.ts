import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import {
  feeOf,
  type Invoice,
  type InvoiceDraft,
  noSubscription,
  type PlanFees,
  type Subscription,
  type Transition
} from "./Subscription.ts"

/**
 * The days after the end of the period at which an unpaid renewal is retried; after the last retry the subscription is
 * over. gaps-3 E "Subscription states"
 */
const retryDays = [1, 3, 5, 7] as const
/** How long before the end of the period a Pix renewal can be paid. gaps-3 E "Subscription states" */
const pixAheadMs = 7 * dayMs

/** Returns the last retry of a renewal that is unpaid since an instant. gaps-3 E "Subscription states" */
const retryDeadline = (past_due_since: number): number => past_due_since + retryDays[3] * dayMs

/**
 * Returns when a plan ends unless it is renewed: with its period, or with the last retry when it is past due. gaps-3 F
 * "covered_until and next charge under a plan"
 */
export const planEndOf = ({ current_period_end, past_due_since }: Subscription): number | null =>
  past_due_since === null ? current_period_end : retryDeadline(past_due_since)

/** True when the last retry has begun. */
export const isLastRetry = ({ retries }: Subscription): boolean => retries >= retryDays.length

/** Returns the subscription with the next instant at which time changes it, for the invoice that is charged now. */
export const scheduled = (subscription: Subscription, open: Pick<Invoice, "kind"> | undefined): Subscription => ({
  ...subscription,
  due_at: dueAt(subscription, open)
})

const dueAt = (subscription: Subscription, open: Pick<Invoice, "kind"> | undefined): number | null => {
  const { billing_rail, cancel_at_period_end, current_period_end, past_due_since, retries, status } = subscription
  const byCard = billing_rail === "cardproc_card"
  if (status === "past_due" && past_due_since !== null)
    return byCard && open !== undefined ? null : past_due_since + (retryDays[retries] ?? retryDays[3]) * dayMs
  if (status !== "active" || current_period_end === null) return null
  if (cancel_at_period_end || open?.kind === "upgrade") return current_period_end
  if (byCard) return open === undefined ? current_period_end : null
  return open === undefined ? current_period_end - pixAheadMs : current_period_end
}

/** Returns the invoice of a renewal, for the plan that was requested last. gaps-3 E "Change details" */
const renewalOf = (subscription: Subscription, plans: ReadonlyMap<string, PlanFees>): InvoiceDraft | undefined => {
  const { billing_rail: rail, current_period_end: end } = subscription
  const plan = plans.get(subscription.pending_plan_offering_id ?? subscription.plan_offering_id ?? "")
  if (plan === undefined || rail === null || end === null) return undefined
  const byCard = rail === "cardproc_card"
  return {
    kind: "renewal",
    plan_offering_id: plan.id,
    billing_rail: rail,
    charged_by: byCard ? "card" : "pix",
    amount: feeOf(plan, rail),
    expires_at: byCard ? null : retryDeadline(subscription.past_due_since ?? end),
    period_end: end,
    from_plan_offering_id: null
  }
}

/**
 * Returns the change of a due subscription: it ends, its renewal is charged, or charged again. gaps-3 E "Subscription
 * states"
 */
export const elapse = (
  subscription: Subscription,
  open: Invoice | undefined,
  plans: ReadonlyMap<string, PlanFees>,
  now: number
): Transition => {
  const { billing_rail, cancel_at_period_end, current_period_end: end, due_at, status } = subscription
  if (due_at === null || due_at > now || end === null) return { subscription }
  if (status === "past_due") return retry(subscription, open, plans, now)
  // An upgrade that is unpaid at the end of its period is void, so that the renewal can be charged.
  if (open?.kind === "upgrade") return { subscription: scheduled(subscription, undefined), voids: true }
  if (cancel_at_period_end) return ended(subscription, end)
  if (billing_rail === "pix_annual" && now >= end) {
    const late: Subscription = { ...subscription, status: "past_due", past_due_since: end, retries: 0 }
    return charged(late, open, plans)
  }
  return charged(subscription, open, plans)
}

/**
 * Returns the subscription with its renewal due at once, for a card that has just become the default. gaps-3 E
 * "Subscription states"
 */
export const retryWithCard = (subscription: Subscription, open: Invoice | undefined, now: number): Subscription =>
  subscription.status === "past_due" && subscription.billing_rail === "cardproc_card" && open === undefined
    ? { ...subscription, retry_now: true, due_at: now }
    : subscription

const retry = (
  subscription: Subscription,
  open: Invoice | undefined,
  plans: ReadonlyMap<string, PlanFees>,
  now: number
): Transition => {
  // An attempt with a new card does not count as a retry.
  if (subscription.retry_now) return charged({ ...subscription, retry_now: false }, open, plans)
  const begun: Subscription = { ...subscription, retries: subscription.retries + 1 }
  // A Pix charge is not retried; the last day ends it.
  if (subscription.billing_rail === "pix_annual" && isLastRetry(begun)) return ended(subscription, now)
  return charged(begun, open, plans)
}

const charged = (
  subscription: Subscription,
  open: Invoice | undefined,
  plans: ReadonlyMap<string, PlanFees>
): Transition => {
  if (open !== undefined) return { subscription: scheduled(subscription, open) }
  const draft = renewalOf(subscription, plans)
  return { subscription: scheduled(subscription, draft), draft }
}

/** Returns the end of a subscription at an instant: the account is then on the free tier. C-PLAN-21 */
export const ended = ({ billing_rail, plan_offering_id }: Subscription, effective_from: number): Transition => ({
  subscription: { ...noSubscription, status: "canceled", canceled_at: effective_from },
  ...(plan_offering_id === null || billing_rail === null ? {} : { plan: { plan_offering_id: null, effective_from } }),
  voids: true
})
