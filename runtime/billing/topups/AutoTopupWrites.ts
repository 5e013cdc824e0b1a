import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { autoTopupFailuresTable, autoTopupsTable } from "./TopupTables.ts"

const columns = [
  "enabled",
  "threshold",
  "amount",
  "payment_method_id",
  "cause",
  "is_above",
  "open_topup_id",
  "last_triggered_at",
  "updated_at"
] as const

/** Writes the whole automatic top-up of an account; only its owner writes it. */
export const saveAutoTopup = insertInto(autoTopupsTable, {
  name: "auto_topups.save",
  columns: ["account_id", ...columns],
  conflict: { on: ["account_id"], update: columns },
  target: rowOf("auto_topups", "account_id")
})

/** Records a failed automatic top-up, whose notice is sent once. gaps-3 E "Failure notification" */
export const insertFailure = insertInto(autoTopupFailuresTable, {
  columns: ["account_id", "topup_id", "amount", "last4", "decline_code", "failed_at"],
  conflict: { on: ["account_id", "topup_id"] }
})
