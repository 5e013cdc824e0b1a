import { many, one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unpaidMonthsTable } from "./AccountTables.ts"

/** The subject of an unpaid month: a managed number (`pn_…`), or all numbers that the account rents. */
export type UnpaidSubject = `pn_${string}` | "rental"

/** Changes of one account are never merged into one statement: a closing change must see an earlier opening one. */
const target = rowOf("unpaid_months", "account_id")

/**
 * Records that a month's charge left the balance below zero; a month that was paid since stays paid. gaps-3 F
 * "Unpaid-month evidence"
 */
export const openUnpaidMonth = insertInto(unpaidMonthsTable, {
  columns: ["account_id", "month", "subject", "opened_at"],
  conflict: { on: ["account_id", "month", "subject"] },
  target
})

/** Closes unpaid months when the balance is at zero or above again. M-PHN-40, gaps-3 F "Unpaid-month evidence" */
export const closeUnpaidMonths = updateOf(unpaidMonthsTable, {
  name: "unpaid_months.close",
  key: ["account_id"],
  set: ["closed_at"],
  where: "t.closed_at is null",
  target
})

/** Rows of `unpaid_months`, which record that a month's charge was not covered. C-PMGT-17 */
export class UnpaidMonths extends Context.Service<
  UnpaidMonths,
  {
    /** Returns the subjects whose charge of a month is not covered yet. */
    open(accountId: string, month: string): Effect.Effect<ReadonlySet<string>>
    /** True when any month of the account is unpaid. */
    any(accountId: string): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/billing/account/UnpaidMonths") {
  static readonly layer = Layer.effect(
    UnpaidMonths,
    Effect.map(SqlClient.SqlClient, (sql) =>
      UnpaidMonths.of({
        open: (accountId, month) =>
          Effect.map(
            many(sql<{ readonly subject: string }>`select subject from unpaid_months
              where account_id = ${accountId} and month = ${month} and closed_at is null`),
            (rows) => new Set(rows.map(({ subject }) => subject))
          ),
        any: (accountId) =>
          Effect.map(
            one(sql`select 1 from unpaid_months where account_id = ${accountId} and closed_at is null limit 1`),
            (row) => row !== undefined
          )
      })
    )
  )
}
