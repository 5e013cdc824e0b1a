import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { monthOf } from "../../locale/Months.ts"
import type { Invoice, Transition } from "./Subscription.ts"

const subscriptionColumns = {
  account_id: "text",
  status: "text",
  plan_offering_id: "text",
  billing_rail: "text",
  anchor_at: "timestamptz",
  periods: "int4",
  current_period_start: "timestamptz",
  current_period_end: "timestamptz",
  cancel_at_period_end: "bool",
  pending_plan_offering_id: "text",
  past_due_since: "timestamptz",
  retries: "int4",
  retry_now: "bool",
  due_at: "timestamptz",
  canceled_at: "timestamptz",
  updated_at: "timestamptz"
} as const

const saveSubscription = defineInsert({
  name: "subscriptions.save",
  table: "subscriptions",
  columns: subscriptionColumns,
  conflict: { on: ["account_id"], update: Object.keys(subscriptionColumns).slice(1) },
  target: rowOf("subscriptions", "account_id")
})

const insertInvoice = defineInsert({
  table: "subscription_invoices",
  columns: {
    account_id: "text",
    id: "text",
    kind: "text",
    plan_offering_id: "text",
    billing_rail: "text",
    charged_by: "text",
    amount: "int8",
    status: "text",
    expires_at: "timestamptz",
    period_end: "timestamptz",
    from_plan_offering_id: "text",
    is_credited: "bool",
    created_at: "timestamptz",
    ended_at: "timestamptz"
  }
})

/** Ends an invoice; a paid one only changes when its payment is refunded. */
const endInvoice = defineUpdate({
  name: "subscription_invoices.end",
  table: "subscription_invoices",
  key: { account_id: "text", id: "text" },
  set: { status: "text", ended_at: "timestamptz" },
  beside: { credits: "bool" },
  values: { is_credited: "t.is_credited or r.credits" },
  guard: "case t.status when 'paid' then r.status = 'refunded' when 'refunded' then false else true end",
  target: rowOf("subscription_invoices", "account_id", "id")
})

const beginPlan = defineInsert({
  name: "account_plans.begin",
  table: "account_plans",
  columns: { account_id: "text", effective_from: "timestamptz", plan_offering_id: "text" },
  conflict: { on: ["account_id", "effective_from"], update: ["plan_offering_id"] },
  target: rowOf("account_plans", "account_id", "effective_from")
})

/**
 * Schedules a review of the numbers that the account's plan covers: one row per account and month, due again each time.
 * It is written with the plan's change, so a crash cannot lose it. gaps-3 F "covered_until and next charge under a
 * plan"
 */
export const reviewCoverage = defineInsert({
  name: "account_months.review",
  table: "account_months",
  columns: { account_id: "text", month: "text", job: "text", due_at: "timestamptz", done_at: "timestamptz" },
  values: { job: "'coverage_review'", done_at: "null" },
  conflict: { on: ["account_id", "month", "job"], update: ["due_at", "done_at"] },
  returning: "account_id",
  target: rowOf("account_months", "account_id", "month", "job")
})

/** The account of a subscription's change, and the time. */
export interface SubscriptionContext {
  readonly account_id: string
  readonly now: number
}

/** Returns the row of an invoice that is charged from now on, or that has failed already. */
export const openInvoiceRow = (invoice: Invoice, { account_id }: SubscriptionContext): Row =>
  insertInvoice.row({ account_id, ...invoice })

/** Returns the row of an ended invoice; `credits` when its payment goes to the wallet. */
export const endInvoiceRow = (
  id: string,
  status: Invoice["status"],
  { account_id, now }: SubscriptionContext,
  credits = false
): Row => endInvoice.row({ account_id, id, status, ended_at: now, credits })

/** Returns the rows of a transition without those of its invoices. */
export const transitionRows = (
  { plan, subscription }: Transition,
  { account_id, now }: SubscriptionContext
): ReadonlyArray<Row> => [
  saveSubscription.row({ account_id, ...subscription, updated_at: now }),
  ...(plan === undefined
    ? []
    : [
        beginPlan.row({ account_id, ...plan }),
        reviewCoverage.row({ account_id, month: monthOf(now), job: "coverage_review", due_at: now, done_at: null })
      ])
]
