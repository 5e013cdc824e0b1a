import { many, one } from "@carteiro/tables/Read.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Whose month is unpaid: a managed number's (`pn_…`), or all numbers' that the account rents. */
export type UnpaidSubject = `pn_${string}` | "rental"

/** Changes of one account never travel in one statement: a closing one has to see what was opened before it. */
const target = rowOf("unpaid_months", "account_id")

/** A month's charge has left the balance below zero; a month that was paid since stays so. gaps-3 F "Unpaid-month evidence" */
export const openUnpaidMonth = defineInsert({
  table: "unpaid_months",
  columns: { account_id: "text", month: "text", subject: "text", opened_at: "timestamptz" },
  conflict: { on: ["account_id", "month", "subject"] },
  target
})

/** The balance is at zero or above again. M-PHN-40, gaps-3 F "Unpaid-month evidence" */
export const closeUnpaidMonths = defineUpdate({
  name: "unpaid_months.close",
  table: "unpaid_months",
  key: { account_id: "text" },
  set: { closed_at: "timestamptz" },
  where: "t.closed_at is null",
  target
})

/** Rows of `unpaid_months`: the evidence that a month's charge was not covered. C-PMGT-17 */
export class UnpaidMonths extends Context.Service<
  UnpaidMonths,
  {
    /** Whose charge of a month is not covered yet. */
    open(accountId: string, month: string): Effect.Effect<ReadonlySet<string>>
    /** Whether any month is. */
    any(accountId: string): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/billing/unpaid/UnpaidMonths") {
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
