import {
  feeOf,
  type Invoice,
  type InvoiceDraft,
  noSubscription,
  type PlanFees,
  type Subscription,
  type Transition
} from "./Subscription.ts"

const day = 86_400_000

/** Days after the end of the period at which an unpaid renewal is tried again; after the last it is over. gaps-3 E "Subscription states" */
const retryDays = [1, 3, 5, 7] as const
/** How long before the end of the period a Pix renewal can be paid. gaps-3 E "Subscription states" */
const pixAheadMs = 7 * day

/** The end of the retries of a renewal that is unpaid since an instant. gaps-3 E "Subscription states" */
const retryDeadline = (past_due_since: number): number => past_due_since + retryDays[3] * day

/**
 * When a plan ends unless it is renewed: with its period, and one that is past due with the last retry. gaps-3 F "covered_until
 * and next charge under a plan"
 */
export const planEndOf = ({ current_period_end, past_due_since }: Subscription): number | null =>
  past_due_since === null ? current_period_end : retryDeadline(past_due_since)

/** Whether the last retry has been begun. */
export const isLastRetry = ({ retries }: Subscription): boolean => retries >= retryDays.length

/** The subscription with the instant at which time moves it next, given what is charged for it now. */
export const scheduled = (subscription: Subscription, open: Pick<Invoice, "kind"> | undefined): Subscription => ({
  ...subscription,
  due_at: dueAt(subscription, open)
})

const dueAt = (subscription: Subscription, open: Pick<Invoice, "kind"> | undefined): number | null => {
  const { billing_rail, cancel_at_period_end, current_period_end, past_due_since, retries, status } = subscription
  const byCard = billing_rail === "cardproc_card"
  if (status === "past_due" && past_due_since !== null)
    return byCard && open !== undefined ? null : past_due_since + (retryDays[retries] ?? retryDays[3]) * day
  if (status !== "active" || current_period_end === null) return null
  if (cancel_at_period_end || open?.kind === "upgrade") return current_period_end
  if (byCard) return open === undefined ? current_period_end : null
  return open === undefined ? current_period_end - pixAheadMs : current_period_end
}

/** The renewal of a subscription: of the plan that was asked for last. gaps-3 E "Change details" */
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
 * Moves a subscription that is due: it ends, its renewal is charged, or charged again. gaps-3 E "Subscription
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
  // An upgrade that is unpaid at the end of its period has nothing left to change: it makes room for what comes next.
  if (open?.kind === "upgrade") return { subscription: scheduled(subscription, undefined), voids: true }
  if (cancel_at_period_end) return ended(subscription, end)
  if (billing_rail === "pix_annual" && now >= end) {
    const late: Subscription = { ...subscription, status: "past_due", past_due_since: end, retries: 0 }
    return charged(late, open, plans)
  }
  return charged(subscription, open, plans)
}

/** The renewal is tried again at once, with the card that has just become the default. gaps-3 E "Subscription states" */
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
  // A try with a new card takes no retry away.
  if (subscription.retry_now) return charged({ ...subscription, retry_now: false }, open, plans)
  const begun: Subscription = { ...subscription, retries: subscription.retries + 1 }
  // A Pix charge is not tried again but paid or not: the last day ends it.
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

/** A subscription is over from an instant on: the account is on the free tier. C-PLAN-21 */
export const ended = ({ billing_rail, plan_offering_id }: Subscription, effective_from: number): Transition => ({
  subscription: { ...noSubscription, status: "canceled", canceled_at: effective_from },
  ...(plan_offering_id === null || billing_rail === null ? {} : { plan: { plan_offering_id: null, effective_from } }),
  voids: true
})
