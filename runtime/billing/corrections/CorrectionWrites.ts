import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

/** Inserts a correction, which the account's owner posts. */
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

/** Marks a correction as posted; one that is already posted stops the whole unit. */
export const postCorrection = defineUpdate({
  name: "ledger_corrections.post",
  table: "ledger_corrections",
  key: { account_id: "text", id: "text" },
  set: { posted_at: "timestamptz" },
  guard: "t.posted_at is null",
  target: rowOf("ledger_corrections", "account_id", "id")
})

/** Lists an operator's credit among the top-ups. gaps-3 E "Top-up transitions" */
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

/**
 * Opens the wallet of a new organization with the promotion: top-up, entry and balance in one statement. gaps-3 D
 * "production_blocked"
 */
export const insertPromotion = defineWrite({
  name: "wallets.open_with_promotion",
  columns: { organization_id: "text", topup_id: "text", id: "text", amount: "int8", at: "timestamptz" },
  before: [
    {
      name: "promoted_wallets",
      sql: (source) => `insert into wallets (account_id, organization_id, environment, balance, created_at, updated_at)
        select r.organization_id, r.organization_id, 'production', r.amount, r.at, r.at from ${source} r`
    },
    {
      name: "promoted_topups",
      sql: (
        source
      ) => `insert into credit_topups (account_id, id, kind, status, amount, payment_method, provider, created_at,
          completed_at)
        select r.organization_id, r.topup_id, 'cash', 'succeeded', r.amount, 'promotion', 'promotion', r.at, r.at
        from ${source} r`
    }
  ],
  sql: (
    source
  ) => `insert into ledger_entries (organization_id, id, account_id, type, is_listed, from_account, to_account,
      amount, source_type, source_id, recorded_at)
    select r.organization_id, r.id, r.organization_id, 'credit', true, 'promotion', 'available', r.amount,
      'credit_topup', r.topup_id, r.at from ${source} r`
})
