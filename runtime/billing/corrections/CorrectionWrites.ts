import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { creditTopupsTable } from "../topups/TopupTables.ts"
import { ledgerCorrectionsTable } from "./CorrectionTables.ts"

/** Inserts a correction, which the account's owner posts. */
export const insertCorrection = insertInto(ledgerCorrectionsTable, {
  columns: ["account_id", "id", "type", "source", "amount", "reason", "created_at"]
})

/** Marks a correction as posted; one that is already posted stops the whole unit. */
export const postCorrection = updateOf(ledgerCorrectionsTable, {
  name: "ledger_corrections.post",
  set: ["posted_at"],
  guard: "t.posted_at is null"
})

/** Lists an operator's credit among the top-ups. gaps-3 E "Top-up transitions" */
export const insertGivenCredit = insertInto(creditTopupsTable, {
  name: "credit_topups.insert_given",
  columns: ["account_id", "id", "amount", "payment_method"],
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
