import { monthOf } from "@carteiro/spellings/Months.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { accountMonthsTable } from "../months/MonthTables.ts"
import type { Invoice, Transition } from "./Subscription.ts"
import { accountPlansTable, subscriptionInvoicesTable, subscriptionsTable } from "./SubscriptionTables.ts"

const subscriptionColumns = [
  "status",
  "plan_offering_id",
  "billing_rail",
  "anchor_at",
  "periods",
  "current_period_start",
  "current_period_end",
  "cancel_at_period_end",
  "pending_plan_offering_id",
  "past_due_since",
  "retries",
  "retry_now",
  "due_at",
  "canceled_at",
  "updated_at"
] as const

const saveSubscription = insertInto(subscriptionsTable, {
  name: "subscriptions.save",
  columns: ["account_id", ...subscriptionColumns],
  conflict: { on: ["account_id"], update: subscriptionColumns },
  target: rowOf("subscriptions", "account_id")
})

const insertInvoice = insertInto(subscriptionInvoicesTable, {
  columns: [
    "account_id",
    "id",
    "kind",
    "plan_offering_id",
    "billing_rail",
    "charged_by",
    "amount",
    "status",
    "expires_at",
    "period_end",
    "from_plan_offering_id",
    "is_credited",
    "created_at",
    "ended_at"
  ]
})

/** Ends an invoice; a paid one only changes when its payment is refunded. */
const endInvoice = updateOf(subscriptionInvoicesTable, {
  name: "subscription_invoices.end",
  set: ["status", "ended_at"],
  beside: { credits: "bool" },
  values: { is_credited: "t.is_credited or r.credits" },
  guard: "case t.status when 'paid' then r.status = 'refunded' when 'refunded' then false else true end"
})

const beginPlan = insertInto(accountPlansTable, {
  name: "account_plans.begin",
  columns: ["account_id", "effective_from", "plan_offering_id"],
  conflict: { on: ["account_id", "effective_from"], update: ["plan_offering_id"] },
  target: rowOf("account_plans", "account_id", "effective_from")
})

/**
 * Schedules a review of the numbers that the account's plan covers: one row per account and month, due again each time.
 * It is written with the plan's change, so a crash cannot lose it. gaps-3 F "covered_until and next charge under a
 * plan"
 */
export const reviewCoverage = insertInto(accountMonthsTable, {
  name: "account_months.review",
  columns: ["account_id", "month", "job", "due_at", "done_at"],
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
