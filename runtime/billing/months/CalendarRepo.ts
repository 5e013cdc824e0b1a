import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type MonthJob, monthJobs, monthsToBegin } from "./MonthClock.ts"

/** The number of accounts for which one statement inserts rows. */
const pageSize = 1000

const begin = Effect.fnUntraced(function* (job: MonthJob, now: number) {
  const sql = yield* SqlClient.SqlClient
  const last = yield* one(sql<{ readonly month: string }>`select month from calendar_months where job = ${job.name}
    order by month desc limit 1`)
  for (const month of monthsToBegin(job, last?.month, now)) {
    yield* many(sql`insert into calendar_months (job, month) values (${job.name}, ${month}) on conflict do nothing`)
  }
})

/** Inserts rows for the next accounts of a month; true while there are more. */
const insertPage = Effect.fnUntraced(function* (job: MonthJob, month: string, now: number) {
  const sql = yield* SqlClient.SqlClient
  const due = instant(job.dueAt(month))
  // Two calendars may insert the same page; the second insert has no effect.
  const moved = yield* one(sql<{ readonly ended: boolean }>`with begun as (
      select reached from calendar_months where job = ${job.name} and month = ${month} and done_at is null
    ), page as materialized (
      select w.account_id from wallets w, begun b where w.account_id > b.reached and w.created_at <= ${due}
      order by w.account_id limit ${pageSize}
    ), inserted as (
      insert into account_months (account_id, month, job, due_at)
      select account_id, ${month}, ${job.name}, ${due} from page on conflict do nothing
    ), size as (select count(*)::int4 as n, max(account_id) as last from page)
    update calendar_months c set reached = greatest(c.reached, coalesce(s.last, c.reached)),
      done_at = case when s.n < ${pageSize}::int4 then ${instant(now)} end
    from size s, begun where c.job = ${job.name} and c.month = ${month}
    returning c.done_at is not null as ended`)
  return moved?.ended === false
})

/**
 * Inserts each account's row of each job of a month, once, when the job falls due; the owners of the accounts execute
 * them. After an interruption it continues.
 */
export const insertMonths = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  for (const job of monthJobs) {
    yield* begin(job, now)
    const open = yield* many(sql<{ readonly month: string }>`select month from calendar_months
      where job = ${job.name} and done_at is null order by month`)
    for (const { month } of open) while (yield* insertPage(job, month, now));
  }
})

/** The job that inserts the months' rows. */
export const calendarJob: Job = { name: "the calendar of months", everyMs: 5000, run: insertMonths }
