import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"

const columns = {
  enabled: "bool",
  threshold: "int8",
  amount: "int8",
  payment_method_id: "text",
  cause: "text",
  is_above: "bool",
  open_topup_id: "text",
  last_triggered_at: "timestamptz",
  updated_at: "timestamptz"
} as const

/** Writes the whole automatic top-up of an account; only its owner writes it. */
export const saveAutoTopup = defineInsert({
  name: "auto_topups.save",
  table: "auto_topups",
  columns: { account_id: "text", ...columns },
  conflict: { on: ["account_id"], update: Object.keys(columns) },
  target: rowOf("auto_topups", "account_id")
})

/** Records a failed automatic top-up, whose notice is sent once. gaps-3 E "Failure notification" */
export const insertFailure = defineInsert({
  table: "auto_topup_failures",
  columns: {
    account_id: "text",
    topup_id: "text",
    amount: "int8",
    last4: "text",
    decline_code: "text",
    failed_at: "timestamptz"
  },
  conflict: { on: ["account_id", "topup_id"] }
})
