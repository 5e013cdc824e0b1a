import { periodEnd } from "./Period.ts"
import { type Invoice, noSubscription, type Subscription, type Transition } from "./Subscription.ts"
import { ended, isLastRetry, scheduled } from "./SubscriptionClock.ts"

const day = 86_400_000

/**
 * A proven payment of an invoice, late ones included: the first begins the subscription, a renewal its next period, an
 * upgrade changes the plan within its period. What a late one was for may be over: then it is credit. C-PLAN-19, gaps-3 E
 * "Subscription states"
 */
export const paid = (
  subscription: Subscription,
  invoice: Invoice,
  now: number,
  other?: Pick<Invoice, "kind">
): Transition => {
  const { billing_rail, kind, plan_offering_id } = invoice
  const lives = subscription.status === "active" || subscription.status === "past_due"
  const fits =
    kind === "first" ? !lives : kind === "upgrade" ? lives : !lives || subscription.billing_rail === billing_rail
  if (!fits) return { subscription, credits: true }
  const upgraded = { ...subscription, plan_offering_id, pending_plan_offering_id: null }
  const after = !lives ? begun(invoice, now) : kind === "upgrade" ? upgraded : renewed(subscription, invoice)
  return {
    subscription: scheduled(after, other),
    ...(after.plan_offering_id === subscription.plan_offering_id
      ? {}
      : { plan: { plan_offering_id: after.plan_offering_id, effective_from: now } })
  }
}

const begun = ({ billing_rail, plan_offering_id }: Invoice, now: number): Subscription => ({
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
    // Who pays wants it to go on.
    cancel_at_period_end: false,
    pending_plan_offering_id: null,
    past_due_since: null,
    retries: 0,
    retry_now: false
  }
}

/**
 * An invoice that is certain not to be paid: a checkout or an upgrade is dropped, an unpaid renewal is past due, and after
 * its last retry the subscription is over. gaps-3 E "Subscription states", "Change details"
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
  const tomorrow = now + day
  const { current_period_end: end, due_at } = next
  if (next.status !== "active" || due_at === null || due_at > now || end === null) return { subscription: next }
  return { subscription: { ...next, due_at: now < end ? Math.min(tomorrow, end) : now } }
}
