import type { CreditBalance } from "@carteiro/schema/billing/Balance.ts"
import type { LedgerEntry } from "@carteiro/schema/billing/LedgerEntry.ts"
import { formatBrl, formatBrlOrNull } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { entryColumns } from "../wallet/WalletTables.ts"

/** An entry as stored; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface LedgerRow extends SelectedRow<typeof entryColumns> {
  readonly type: "debit" | "credit" | "hold" | "release"
  readonly source_type: "usage" | "credit_topup" | "payment_fee_hold"
}

/** The wallet of an organization, and whether its production environment is blocked. */
export interface BalanceRow {
  readonly balance: number
  readonly held: number
  readonly credit_blocked: boolean
  readonly updated_at: number
}

/** Returns a balance as reads show it. C-BAL-01..13 */
export const readBalance = (organization_id: string, row: BalanceRow): Omit<typeof CreditBalance.Type, "trace_id"> => ({
  id: organization_id,
  object: "credit_balance",
  organization_id,
  balance_brl: formatBrl(row.balance),
  held_brl: formatBrl(row.held),
  currency: "brl",
  production_blocked: row.credit_blocked,
  updated_at: formatTimestamp(row.updated_at)
})

/** Returns an entry as lists show it. C-LED-01..10 */
export const readEntry = (row: LedgerRow): typeof LedgerEntry.Type => ({
  id: row.id,
  object: "ledger_entry",
  type: row.type,
  source_type: row.source_type,
  source_id: row.source_id,
  meter_id: row.meter_id,
  amount_brl: formatBrl(row.amount),
  uncollected_brl: formatBrlOrNull(row.uncollected),
  currency: "brl",
  environment: row.environment,
  payment_fee:
    row.payment_object === null || row.payment_id === null
      ? null
      : { object: row.payment_object, id: row.payment_id, reservation_id: row.reservation_id ?? row.source_id },
  trace_id: row.trace_id,
  recorded_at: formatTimestamp(row.recorded_at)
})
