import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { BillingRail, invoiceColumns, subscriptionColumns } from "./SubscriptionTables.ts"

export type { BillingRail } from "./SubscriptionTables.ts"

/** The subscription of an account. Instants in epoch milliseconds. C-PLAN-03, gaps-3 E "Subscription states" */
export type Subscription = SelectedRow<typeof subscriptionColumns>

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
export type InvoiceDraft = Omit<Invoice, "id" | "status" | "created_at" | "ended_at" | "is_credited">

/** An invoice that is written. An account has at most one open invoice. */
export type Invoice = SelectedRow<typeof invoiceColumns>

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
