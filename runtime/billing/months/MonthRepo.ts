import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { defineUpdate, rowOf } from "../../platform/commit/TableWrite.ts"
import type { DueOwners } from "../../platform/owner/schedule/Sweeper.ts"
import { instant } from "../../platform/sql/Parameters.ts"
import { many } from "../../platform/sql/Read.ts"
import type { MonthJob } from "./MonthClock.ts"

/** A job of a month that an account has to execute. */
export interface DueMonth {
  readonly month: string
  readonly job: MonthJob["name"] | "coverage_review"
  readonly due_at: number
}

/** An account is done with a job of a month, unless it fell due anew meanwhile. */
export const endMonth = defineUpdate({
  name: "account_months.end",
  table: "account_months",
  key: { account_id: "text", month: "text", job: "text" },
  set: { done_at: "timestamptz" },
  beside: { due_at: "timestamptz" },
  guard: "t.done_at is null and t.due_at = r.due_at",
  target: rowOf("account_months", "account_id", "month", "job")
})

/** Rows of `account_months`. */
export class MonthRepo extends Context.Service<
  MonthRepo,
  {
    /** What an account has to execute by now, the oldest first. */
    due(accountId: string, now: number): Effect.Effect<ReadonlyArray<DueMonth>>
    /** Accounts with something to execute. */
    readonly dueAccounts: DueOwners["due"]
  }
>()("@carteiro/runtime/billing/months/MonthRepo") {
  static readonly layer = Layer.effect(
    MonthRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      MonthRepo.of({
        due: (accountId, now) =>
          many(sql<DueMonth>`select month, job, due_at from account_months
            where account_id = ${accountId} and done_at is null and due_at <= ${instant(now)} order by due_at, job`),
        dueAccounts: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly is_due: boolean }>`with recursive walk as (
                (select account_id as id, due_at, 1 as n from account_months where done_at is null and account_id > ${after}
                  order by account_id, due_at limit 1)
                union all
                select m.account_id, m.due_at, w.n + 1 from walk w cross join lateral (
                  select account_id, due_at from account_months where done_at is null and account_id > w.id
                  order by account_id, due_at limit 1) m where w.n < ${limit}::int4
              ) select id, due_at <= ${instant(now)} as is_due from walk order by id`),
            (rows) => ({
              ids: rows.flatMap(({ id, is_due }) => (is_due ? [id] : [])),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    )
  )
}
