import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { reservationsTable } from "./WalletTables.ts"

const entryColumns = {
  organization_id: "text",
  id: "text",
  account_id: "text",
  environment: "text",
  environment_id: "text",
  type: "text",
  is_listed: "bool",
  from_account: "text",
  to_account: "text",
  amount: "int8",
  source_type: "text",
  source_id: "text",
  meter_id: "text",
  uncollected: "int8",
  trace_id: "text",
  payment_object: "text",
  payment_id: "text",
  reservation_id: "text",
  recorded_at: "timestamptz"
} as const

const entry = Object.keys(entryColumns).join(", ")

/**
 * Writes transfers with their change of the wallet, and the resulting credit block. One statement adds up all transfers
 * of an account, so that many callers of one hot wallet share it. gaps-3 D "Double-entry model", "production_blocked"
 */
export const move = defineWrite({
  name: "wallets.move",
  columns: { ...entryColumns, balance_delta: "int8", held_delta: "int8" },
  target: rowOf("wallets", "account_id"),
  isMerging: true,
  before: [
    {
      name: "wallets_moved",
      sql: (source) => `update wallets w set balance = w.balance + m.balance, held = w.held + m.held,
      updated_at = greatest(w.updated_at, m.at)
    from (select r.account_id, sum(r.balance_delta)::int8 as balance, sum(r.held_delta)::int8 as held,
      max(r.recorded_at) as at from ${source} r group by r.account_id) m
    where w.account_id = m.account_id
    returning w.account_id, w.environment, w.balance`
    },
    {
      name: "wallets_blocked",
      sql: () => `update organizations o set credit_blocked = m.balance <= 0 from wallets_moved m
    where m.environment = 'production' and o.id = m.account_id and o.credit_blocked <> (m.balance <= 0)`
    }
  ],
  sql: (source) => `insert into ledger_entries (${entry})
    select ${entry.replaceAll(/\w+/g, "r.$&")} from ${source} r`
})

const reservation = [
  "account_id",
  "id",
  "amount",
  "meter_id",
  "source_type",
  "project_id",
  "environment_id",
  "trace_id",
  "payment_object",
  "payment_id",
  "created_at"
] as const

/**
 * Holds credit. An existing reservation, or a balance that has fallen below the amount since the owner's decision,
 * stops the whole unit. gaps-3 D "Invariants"
 */
export const insertReservation = insertInto(reservationsTable, {
  columns: reservation,
  guard: (source) => `select r.unit from ${source} r join wallets w on w.account_id = r.account_id
    where (w.environment = 'sandbox' or w.balance >= r.amount) and not exists (
      select 1 from reservations t where t.account_id = r.account_id and t.id = r.id)
    order by w.account_id for update of w`
})

/** Inserts a reservation that is charged in its own commit. gaps-3 D "payment_fee and entry links" */
export const insertSettled = insertInto(reservationsTable, {
  name: "reservations.insert_settled",
  columns: reservation,
  values: { state: "'settled'", ended_at: "r.created_at" }
})

/**
 * Ends an open reservation; one that has already ended stops the whole unit, so that it ends once. gaps-3 D
 * "Invariants"
 */
export const endReservation = updateOf(reservationsTable, {
  name: "reservations.end",
  set: ["state", "ended_at"],
  guard: "t.state = 'open'"
})

/** Adds production debits to a project's spending in a month. gaps-3 D "Spend cap and fees" */
export const addSpending = defineWrite({
  name: "project_spending.add",
  columns: { organization_id: "text", project_id: "text", month: "text", amount: "int8" },
  target: rowOf("project_spending", "organization_id", "project_id", "month"),
  isMerging: true,
  sql: (source) => `insert into project_spending as s (organization_id, project_id, month, spent)
    select r.organization_id, r.project_id, r.month, sum(r.amount)::int8 from ${source} r
    group by r.organization_id, r.project_id, r.month order by r.organization_id, r.project_id, r.month
    on conflict (organization_id, project_id, month) do update set spent = s.spent + excluded.spent`
})
