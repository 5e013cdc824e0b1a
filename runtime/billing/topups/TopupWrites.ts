import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

/** Inserts an unpaid top-up. */
export const insertTopup = defineInsert({
  table: "credit_topups",
  columns: {
    account_id: "text",
    id: "text",
    kind: "text",
    amount: "int8",
    payment_method: "text",
    provider: "text",
    package_code: "text",
    quota_messages: "int8",
    unit_price: "int8",
    created_at: "timestamptz"
  },
  values: { status: "'pending'", quota_remaining: "r.quota_messages" }
})

/** Ends a top-up, or refunds it; a refunded package has no quota left. gaps-3 E "Top-up transitions" */
export const endTopup = defineUpdate({
  name: "credit_topups.end",
  table: "credit_topups",
  key: { account_id: "text", id: "text" },
  beside: { was: "text" },
  set: { status: "text", completed_at: "timestamptz" },
  values: {
    completed_at: "coalesce(r.completed_at, t.completed_at)",
    quota_remaining:
      "case when r.status = 'refunded' and t.quota_messages is not null then 0 else t.quota_remaining end"
  },
  guard: "t.status = any(string_to_array(r.was, ','))",
  target: rowOf("credit_topups", "account_id", "id")
})

/** Deducts messages that were sent at a package's price. gaps-3 E "What a package gives" */
export const useQuota = defineUpdate({
  name: "credit_topups.use_quota",
  table: "credit_topups",
  key: { account_id: "text", id: "text" },
  beside: { used: "int8" },
  values: { quota_remaining: "t.quota_remaining - r.used" },
  target: rowOf("credit_topups", "account_id", "id")
})
