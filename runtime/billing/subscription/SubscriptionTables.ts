import { bool, defaulted, defineTable, int4, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** The instants from which an account has a plan; null is the free tier. Usage is priced by the row of its instant. */
export const accountPlansTable = defineTable("account_plans", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "effective_from"],
  columns: {
    account_id: text,
    effective_from: timestamptz,
    plan_offering_id: nullable(text)
  }
})

/** Charges for a subscription; each retry is a row of its own. */
export const subscriptionInvoicesTable = defineTable("subscription_invoices", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    kind: text,
    plan_offering_id: text,
    billing_rail: text,
    charged_by: text,
    amount: int8,
    status: text,
    expires_at: nullable(timestamptz),
    created_at: timestamptz,
    ended_at: nullable(timestamptz),
    period_end: nullable(timestamptz),
    from_plan_offering_id: nullable(text),
    is_credited: defaulted(bool)
  }
})

/** The subscription of an account. Its id on the wire is made of the account's. */
export const subscriptionsTable = defineTable("subscriptions", {
  owner: "billing",
  erasure: money,
  key: ["account_id"],
  columns: {
    account_id: text,
    status: text,
    plan_offering_id: nullable(text),
    billing_rail: nullable(text),
    anchor_at: nullable(timestamptz),
    periods: int4,
    current_period_start: nullable(timestamptz),
    current_period_end: nullable(timestamptz),
    cancel_at_period_end: bool,
    pending_plan_offering_id: nullable(text),
    past_due_since: nullable(timestamptz),
    retries: int4,
    retry_now: bool,
    due_at: nullable(timestamptz),
    updated_at: timestamptz,
    canceled_at: nullable(timestamptz)
  }
})
