import { defineInsert, defineUpdate, rowOf } from "../../platform/commit/TableWrite.ts"

/** Asks the owner of an account to credit or debit it by hand. */
export const insertCorrection = defineInsert({
  table: "ledger_corrections",
  columns: {
    account_id: "text",
    id: "text",
    type: "text",
    source: "text",
    amount: "int8",
    reason: "text",
    created_at: "timestamptz"
  }
})

/** Marks a correction as posted; one that is posted already stops the whole unit. */
export const postCorrection = defineUpdate({
  name: "ledger_corrections.post",
  table: "ledger_corrections",
  key: { account_id: "text", id: "text" },
  set: { posted_at: "timestamptz" },
  guard: "t.posted_at is null",
  target: rowOf("ledger_corrections", "account_id", "id")
})

/** Shows credit given by hand among the top-ups. gaps-3 E "Top-up transitions" */
export const insertGivenCredit = defineInsert({
  name: "credit_topups.insert_given",
  table: "credit_topups",
  columns: { account_id: "text", id: "text", amount: "int8", payment_method: "text" },
  beside: { at: "timestamptz" },
  values: {
    kind: "'cash'",
    status: "'succeeded'",
    provider: "r.payment_method",
    created_at: "r.at",
    completed_at: "r.at"
  }
})
