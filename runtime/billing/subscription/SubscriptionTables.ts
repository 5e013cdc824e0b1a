import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** The way a subscription is paid: each month by card, or each year by Pix. */
export type BillingRail = "cardproc_card" | "pix_annual"

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
    kind: textOf<"first" | "renewal" | "upgrade">(),
    plan_offering_id: text,
    /** The rail by which the plan is, or will be, paid. */
    billing_rail: textOf<BillingRail>(),
    charged_by: textOf<"card" | "pix">(),
    /** The amount in 1/10,000 BRL. */
    amount: int8,
    /** `void`: the account no longer waits for it; a payment that was under way still counts. */
    status: textOf<"open" | "paid" | "failed" | "expired" | "void" | "refunded">(),
    /** The end of the time in which a Pix charge can be paid; null for cards. */
    expires_at: nullable(timestamptz),
    created_at: timestamptz,
    /** When it reached its final status; null while it is open. */
    ended_at: nullable(timestamptz),
    /** The end of the period in which a renewal or an upgrade was made; null for a first invoice. */
    period_end: nullable(timestamptz),
    /** The plan from which an upgrade was priced; null for other invoices. */
    from_plan_offering_id: nullable(text),
    /** True when its payment came too late to pay for anything and went to the wallet. */
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
    status: textOf<"none" | "active" | "past_due" | "canceled">(),
    plan_offering_id: nullable(text),
    billing_rail: nullable(textOf<BillingRail>()),
    /** The first payment, from which periods are counted. */
    anchor_at: nullable(timestamptz),
    /** The number of periods paid since. */
    periods: int4,
    current_period_start: nullable(timestamptz),
    current_period_end: nullable(timestamptz),
    cancel_at_period_end: bool,
    /** The lower plan of the next renewal. */
    pending_plan_offering_id: nullable(text),
    /** The instant since which the renewal is unpaid; retries are counted from it. */
    past_due_since: nullable(timestamptz),
    retries: int4,
    /** True when a card has become the default since: the renewal is retried at once. */
    retry_now: bool,
    /** The next instant at which time changes the subscription; null when only an outcome does. */
    due_at: nullable(timestamptz),
    updated_at: timestamptz,
    /** The end of the last subscription, while there is no new one. */
    canceled_at: nullable(timestamptz)
  }
})

/** The columns of an invoice that reads and rules use. */
export const invoiceColumns = select(
  subscriptionInvoicesTable,
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
  "created_at",
  "ended_at",
  "is_credited"
)

/** The columns of a subscription that reads and rules use. */
export const subscriptionColumns = select(
  subscriptionsTable,
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
  "canceled_at"
)
