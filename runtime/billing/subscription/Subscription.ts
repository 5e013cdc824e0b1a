/** The way a subscription is paid: each month by card, or each year by Pix. C-PLAN-06 */
export type BillingRail = "cardproc_card" | "pix_annual"

/** The subscription of an account. Instants in epoch milliseconds. C-PLAN-03, gaps-3 E "Subscription states" */
export interface Subscription {
  readonly status: "none" | "active" | "past_due" | "canceled"
  readonly plan_offering_id: string | null
  readonly billing_rail: BillingRail | null
  /** The first payment, from which periods are counted. */
  readonly anchor_at: number | null
  /** The number of periods paid since. */
  readonly periods: number
  readonly current_period_start: number | null
  readonly current_period_end: number | null
  readonly cancel_at_period_end: boolean
  /** The lower plan of the next renewal. */
  readonly pending_plan_offering_id: string | null
  /** The instant since which the renewal is unpaid; retries are counted from it. */
  readonly past_due_since: number | null
  readonly retries: number
  /** True when a card has become the default since: the renewal is retried at once. */
  readonly retry_now: boolean
  /** The next instant at which time changes the subscription; null when only an outcome does. */
  readonly due_at: number | null
  /** The end of the last subscription, while there is no new one. */
  readonly canceled_at: number | null
}

/** The subscription of an account that has never subscribed. C-PLAN-04 */
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

/** One charge for a subscription; each retry has its own. */
export interface InvoiceDraft {
  readonly kind: "first" | "renewal" | "upgrade"
  readonly plan_offering_id: string
  /** The rail by which the plan is, or will be, paid. */
  readonly billing_rail: BillingRail
  readonly charged_by: "card" | "pix"
  /** The amount in 1/10,000 BRL. */
  readonly amount: number
  /** The end of the time in which a Pix charge can be paid; null for cards. */
  readonly expires_at: number | null
  /** The end of the period in which a renewal or an upgrade was made; null for a first invoice. */
  readonly period_end: number | null
  /** The plan from which an upgrade was priced; null for other invoices. */
  readonly from_plan_offering_id: string | null
}

/** An invoice that is written. An account has at most one open invoice. */
export interface Invoice extends InvoiceDraft {
  readonly id: string
  /** `void`: the account no longer waits for it; a payment that was under way still counts. */
  readonly status: "open" | "paid" | "failed" | "expired" | "void" | "refunded"
  readonly created_at: number
  /** When it reached its final status; null while it is open. */
  readonly ended_at: number | null
  /** True when its payment came too late to pay for anything and went to the wallet. */
  readonly is_credited: boolean
}

/** The changes of one event, in one commit. */
export interface Transition {
  readonly subscription: Subscription
  /** The invoice to charge next. */
  readonly draft?: InvoiceDraft | undefined
  /** The plan in force from an instant on; null for the free tier. */
  readonly plan?: { readonly plan_offering_id: string | null; readonly effective_from: number } | undefined
  /** True when the open invoice becomes void; this is written before another charge. */
  readonly voids?: boolean | undefined
  /** True when the payment no longer pays for anything and becomes credit. */
  readonly credits?: boolean | undefined
}

/** The fees of a plan that the rules use, in 1/10,000 BRL. */
export interface PlanFees {
  readonly id: string
  readonly monthly_fee: number
  readonly annual_fee: number
}

/** Returns the fee of one period of a plan. gaps-3 E "Plan catalog" */
export const feeOf = (plan: PlanFees, rail: BillingRail): number =>
  rail === "cardproc_card" ? plan.monthly_fee : plan.annual_fee
