import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountCalendar, MonthJob } from "./MonthClock.ts"
import { accountMonthsTable } from "./MonthTables.ts"

/** A job of a month that an account must execute. */
export interface DueMonth {
  readonly month: string
  readonly job: MonthJob["name"] | "coverage_review"
  readonly due_at: number
}

/** Inserts the row of a month's job for an account with its own clock. */
export const beginMonth = insertInto(accountMonthsTable, {
  columns: ["account_id", "month", "job", "due_at"],
  conflict: { on: ["account_id", "month", "job"] }
})

/** Marks a month's job of an account as done, unless it became due again meanwhile. */
export const endMonth = updateOf(accountMonthsTable, {
  name: "account_months.end",
  set: ["done_at"],
  beside: { due_at: "timestamptz" },
  guard: "t.done_at is null and t.due_at = r.due_at"
})

/** Rows of `account_months`. */
export class MonthRepo extends Context.Service<
  MonthRepo,
  {
    /** Returns the jobs that an account must execute by now, oldest first. */
    due(accountId: string, now: number): Effect.Effect<ReadonlyArray<DueMonth>>
    /** Returns the months of an account that have begun; undefined before it has a wallet. */
    calendar(accountId: string): Effect.Effect<AccountCalendar | undefined>
    /** Returns accounts with a due job. */
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
        calendar: (accountId) => Effect.map(one(calendarOf(sql, accountId)), (row) => row && toCalendar(row)),
        dueAccounts: walkOwners("select account_id as owner, due_at from account_months where done_at is null")
      })
    )
  )
}

interface CalendarRow {
  readonly opened_at: number
  readonly month_charge: string | null
  readonly month_end_disable: string | null
}

const calendarOf = (sql: SqlClient.SqlClient, accountId: string) => {
  const last = (job: MonthJob["name"]) => sql`(select m.month from account_months m
    where m.account_id = w.account_id and m.job = ${job} order by m.month desc limit 1)`
  return sql<CalendarRow>`select w.created_at as opened_at, ${last("month_charge")} as month_charge,
      ${last("month_end_disable")} as month_end_disable
    from wallets w where w.account_id = ${accountId}`
}

const toCalendar = ({ month_charge, month_end_disable, opened_at }: CalendarRow): AccountCalendar => ({
  opened_at,
  last: { ...(month_charge !== null && { month_charge }), ...(month_end_disable !== null && { month_end_disable }) }
})

/**
 * Returns the SQL expression of the next due time of a job for the account `w`; `into` is the offset into its month, as
 * in `monthJobs`.
 */
const nextOf = (job: MonthJob["name"], into: string): string => `(
    select case when m.start + ${into} < w.opened then m.start + interval '1 month' + ${into} else m.start + ${into} end
    from (select coalesce(
        (select to_date(m.month, 'YYYY-MM') + interval '1 month' from account_months m
          where m.account_id = w.account_id and m.job = '${job}' order by m.month desc limit 1),
        date_trunc('month', w.opened)) as start) m) at time zone 'UTC'`

/**
 * The SQL that returns when a sandbox account has its next month to begin or execute, on the sandbox's clock; see
 * `DueOwners`.
 */
export const monthsOfTenant = `select w.account_id as id, least(
    (select min(m.due_at) from account_months m where m.account_id = w.account_id and m.done_at is null),
    ${nextOf("month_charge", "interval '5 minutes'")},
    ${nextOf("month_end_disable", "interval '1 month -12 hours'")}) as due_at
  from (select account_id, created_at at time zone 'UTC' as opened from wallets where account_id = $1) w`
