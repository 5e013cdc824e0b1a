import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { periodEnd } from "./Period.ts"
import { type Invoice, noSubscription, type Subscription, type Transition } from "./Subscription.ts"
import { ended, isLastRetry, scheduled } from "./SubscriptionClock.ts"

/**
 * Returns the change that a proven payment of an invoice makes, a late one included: the first invoice begins the
 * subscription, a renewal begins its next period, an upgrade changes the plan within its period. A payment for
 * something that is over becomes credit and changes no subscription. C-PLAN-19, gaps-3 E "Subscription states", "Change
 * details"
 */
export const paid = (subscription: Subscription, invoice: Invoice, now: number): Transition => {
  if (!isOwed(subscription, invoice, now)) {
    const isAwaited = invoice.status === "open"
    return { subscription: isAwaited ? scheduled(subscription, undefined) : subscription, credits: true }
  }
  const { kind, plan_offering_id } = invoice
  const upgraded = { ...subscription, plan_offering_id, pending_plan_offering_id: null }
  const after = kind === "first" ? begun(invoice, now) : kind === "upgrade" ? upgraded : renewed(subscription, invoice)
  return {
    subscription: scheduled(after, undefined),
    // Another open invoice was made for the subscription as it was before.
    voids: true,
    ...(after.plan_offering_id === subscription.plan_offering_id
      ? {}
      : { plan: { plan_offering_id: after.plan_offering_id, effective_from: now } })
  }
}

/**
 * True when an invoice that is paid now still pays for something: a first one, unless its subscription is over or runs
 * already; a renewal, while the period it follows is the last one; an upgrade, within its period, of the plan it was
 * priced from. gaps-3 E "Change details"
 */
const isOwed = (subscription: Subscription, invoice: Invoice, now: number): boolean => {
  const { billing_rail, canceled_at, current_period_end, plan_offering_id, status } = subscription
  const { created_at, from_plan_offering_id, kind, period_end } = invoice
  const lives = status === "active" || status === "past_due"
  if (kind === "first") return !lives && (canceled_at === null || created_at >= canceled_at)
  if (!lives || period_end === null || period_end !== current_period_end) return false
  if (kind === "renewal") return invoice.billing_rail === billing_rail
  return now < period_end && from_plan_offering_id === plan_offering_id
}

/**
 * Returns the end of a subscription whose payment was refunded, at once; a subscription that began after the invoice
 * was paid continues. gaps-3 E "Subscription states"
 */
export const givenBack = (subscription: Subscription, { ended_at }: Invoice, now: number): Transition => {
  const { anchor_at, status } = subscription
  const lives = status === "active" || status === "past_due"
  return lives && anchor_at !== null && ended_at !== null && ended_at >= anchor_at
    ? ended(subscription, now)
    : { subscription }
}

/** Returns the first period of a subscription that is paid now. gaps-3 E "Subscription states" */
export const begun = (
  { billing_rail, plan_offering_id }: Pick<Invoice, "billing_rail" | "plan_offering_id">,
  now: number
): Subscription => ({
  ...noSubscription,
  status: "active",
  plan_offering_id,
  billing_rail,
  anchor_at: now,
  periods: 1,
  current_period_start: now,
  current_period_end: periodEnd(billing_rail, now, 1)
})

const renewed = (subscription: Subscription, { plan_offering_id }: Invoice): Subscription => {
  const { anchor_at, billing_rail, current_period_end } = subscription
  const periods = subscription.periods + 1
  return {
    ...subscription,
    status: "active",
    plan_offering_id,
    periods,
    current_period_start: current_period_end,
    current_period_end:
      anchor_at === null || billing_rail === null ? current_period_end : periodEnd(billing_rail, anchor_at, periods),
    // A payment by hand shows that the customer wants to continue; an automatic card charge does not.
    cancel_at_period_end: billing_rail === "cardproc_card" && subscription.cancel_at_period_end,
    pending_plan_offering_id: null,
    past_due_since: null,
    retries: 0,
    retry_now: false
  }
}

/**
 * Returns the change that a finally unpaid invoice makes: a checkout or an upgrade is dropped, an unpaid renewal is
 * past due, and after its last retry the subscription is over. gaps-3 E "Subscription states", "Change details"
 */
export const unpaid = (subscription: Subscription, invoice: Invoice, now: number): Transition => {
  const { billing_rail, current_period_end: end, status } = subscription
  if (invoice.kind !== "renewal" || billing_rail === null || end === null) return settled(subscription)
  if (status === "past_due" && isLastRetry(subscription)) return { ...ended(subscription, now), voids: false }
  // A Pix charge that could not be made is made again; only the end of the period makes it past due.
  if (billing_rail === "pix_annual") return again(subscription, now)
  if (status !== "active") return settled(subscription)
  const past_due_since = Math.max(end, invoice.created_at)
  return settled({ ...subscription, status: "past_due", past_due_since, retries: 0 })
}

const settled = (subscription: Subscription): Transition => ({ subscription: scheduled(subscription, undefined) })

const again = (subscription: Subscription, now: number): Transition => {
  const next = scheduled(subscription, undefined)
  const tomorrow = now + dayMs
  const { current_period_end: end, due_at } = next
  if (next.status !== "active" || due_at === null || due_at > now || end === null) return { subscription: next }
  return { subscription: { ...next, due_at: now < end ? Math.min(tomorrow, end) : now } }
}
