import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { creditTopupsTable } from "./TopupTables.ts"

/** Inserts an unpaid top-up. */
export const insertTopup = insertInto(creditTopupsTable, {
  columns: [
    "account_id",
    "id",
    "kind",
    "amount",
    "payment_method",
    "provider",
    "package_code",
    "quota_messages",
    "unit_price",
    "created_at"
  ],
  values: { status: "'pending'", quota_remaining: "r.quota_messages" }
})

/** Ends a top-up, or refunds it; a refunded package has no quota left. gaps-3 E "Top-up transitions" */
export const endTopup = updateOf(creditTopupsTable, {
  name: "credit_topups.end",
  beside: { was: "text" },
  set: ["status", "completed_at"],
  values: {
    completed_at: "coalesce(r.completed_at, t.completed_at)",
    quota_remaining:
      "case when r.status = 'refunded' and t.quota_messages is not null then 0 else t.quota_remaining end"
  },
  guard: "t.status = any(string_to_array(r.was, ','))"
})

/** Deducts messages that were sent at a package's price. gaps-3 E "What a package gives" */
export const useQuota = updateOf(creditTopupsTable, {
  name: "credit_topups.use_quota",
  beside: { used: "int8" },
  values: { quota_remaining: "t.quota_remaining - r.used" }
})
