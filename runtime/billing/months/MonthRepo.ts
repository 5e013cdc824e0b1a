import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
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
        dueAccounts: walkOwners("select account_id as owner, due_at from account_months where done_at is null")
      })
    )
  )
}
