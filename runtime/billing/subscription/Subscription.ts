/** How a subscription is paid: each month by card, or each year by Pix. C-PLAN-06 */
export type BillingRail = "cardproc_card" | "pix_annual"

/** The subscription of an account. Instants in epoch milliseconds. C-PLAN-03, gaps-3 E "Subscription states" */
export interface Subscription {
  readonly status: "none" | "active" | "past_due" | "canceled"
  readonly plan_offering_id: string | null
  readonly billing_rail: BillingRail | null
  /** The first payment: periods are counted from it. */
  readonly anchor_at: number | null
  /** Periods that were paid since. */
  readonly periods: number
  readonly current_period_start: number | null
  readonly current_period_end: number | null
  readonly cancel_at_period_end: boolean
  /** The lower plan that the next renewal is for. */
  readonly pending_plan_offering_id: string | null
  /** Since when the renewal is unpaid; retries are counted from it. */
  readonly past_due_since: number | null
  readonly retries: number
  /** A card has become the default since: the renewal is tried again at once. */
  readonly retry_now: boolean
  /** When time moves it next; null when only an outcome does. */
  readonly due_at: number | null
  /** The end of the last subscription, while there is no other. */
  readonly canceled_at: number | null
}

/** An account that has never subscribed. C-PLAN-04 */
export const noSubscription: Subscription = {
  status: "none",
  plan_offering_id: null,
  billing_rail: null,
  anchor_at: null,
  periods: 0,
  current_period_start: null,
  current_period_end: null,
  cancel_at_period_end: false,
  pending_plan_offering_id: null,
  past_due_since: null,
  retries: 0,
  retry_now: false,
  due_at: null,
  canceled_at: null
}

/** One charge for a subscription; a retry is another one. */
export interface InvoiceDraft {
  readonly kind: "first" | "renewal" | "upgrade"
  readonly plan_offering_id: string
  /** The rail that the plan is paid by, or is to be. */
  readonly billing_rail: BillingRail
  readonly charged_by: "card" | "pix"
  /** In 1/10,000 BRL. */
  readonly amount: number
  /** Until when a Pix charge can be paid; null for cards. */
  readonly expires_at: number | null
  /** The end of the period in which a renewal or an upgrade was made; null for a first invoice. */
  readonly period_end: number | null
  /** The plan that an upgrade was priced from; null for the others. */
  readonly from_plan_offering_id: string | null
}

/** A draft that was written. At most one of an account is open. */
export interface Invoice extends InvoiceDraft {
  readonly id: string
  /** `void`: it is not waited for any more; a payment that was under way counts all the same. */
  readonly status: "open" | "paid" | "failed" | "expired" | "void" | "refunded"
  readonly created_at: number
  /** When it came to its status; null while it is open. */
  readonly ended_at: number | null
  /** Its payment came when nothing was left to pay for, and went to the wallet. */
  readonly is_credited: boolean
}

/** The changes that follow from an event, in one commit. */
export interface Transition {
  readonly subscription: Subscription
  /** Charged next. */
  readonly draft?: InvoiceDraft | undefined
  /** The plan in force from an instant on; null is the free tier. */
  readonly plan?: { readonly plan_offering_id: string | null; readonly effective_from: number } | undefined
  /** The open invoice is waited for no longer; it is written before anything else is charged. */
  readonly voids?: boolean | undefined
  /** A payment that pays for nothing any more becomes credit. */
  readonly credits?: boolean | undefined
}

/** Fees of a plan, as far as the rules look at them; in 1/10,000 BRL. */
export interface PlanFees {
  readonly id: string
  readonly monthly_fee: number
  readonly annual_fee: number
}

/** Returns the fee of one period of a plan. gaps-3 E "Plan catalog" */
export const feeOf = (plan: PlanFees, rail: BillingRail): number =>
  rail === "cardproc_card" ? plan.monthly_fee : plan.annual_fee
