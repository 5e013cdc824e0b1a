import { countedEvents, countedOfNumbers, latencyBoundsMs } from "@carteiro/schema/activity/Measures.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { one } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How long hours are kept: 100 days. */
const kept = 100 * dayMs

/** The transactions that one statement counts at most, so that it stays short after a pause. */
const transactionsAtOnce = 50_000

/** A table whose rows are counted, and how: `rows` selects environment, instant, measure and amount of those between two borders. */
interface Source {
  readonly name: string
  /** The table of the hours. */
  readonly table: "activity_hours" | "endpoint_activity_hours" | "number_activity_hours"
  readonly rows: string
}

const sources: ReadonlyArray<Source> = [
  {
    name: "events",
    table: "activity_hours",
    rows: `select e.environment_id, e.created_at as at, e.type as measure, coalesce(p.amount, 0) as amount
      from span s join outbox_events e on e.written_in >= s.since and e.written_in < s.until
      left join payment_requests p on e.type = 'payment.paid' and p.environment_id = e.environment_id and p.id = e.source_id
      where e.type in (${countedEvents.map((type) => `'${type}'`).join(", ")})`
  },
  {
    name: "deliveries",
    table: "activity_hours",
    rows: `select a.environment_id, a.attempted_at as at, m.measure, coalesce(a.duration_ms, 0) as amount
      from span s join webhook_attempts a on a.ended_in >= s.since and a.ended_in < s.until
      cross join lateral (values ('webhook.' || a.status), ('webhook.within.' || case
        ${latencyBoundsMs.map((bound) => `when a.duration_ms <= ${bound} then '${bound}'`).join(" ")} else 'more' end)) m (measure)
      where a.attempted_at is not null`
  },
  {
    name: "endpoints",
    table: "endpoint_activity_hours",
    rows: `select a.environment_id, a.attempted_at as at, a.endpoint_id || '.' || a.status as measure,
        coalesce(a.duration_ms, 0) as amount
      from span s join webhook_attempts a on a.ended_in >= s.since and a.ended_in < s.until
      where a.attempted_at is not null`
  },
  {
    name: "numbers",
    table: "number_activity_hours",
    rows: `select e.environment_id, e.created_at as at, m.business_id || substr(e.type, 8) as measure, 0 as amount
      from span s join outbox_events e on e.written_in >= s.since and e.written_in < s.until
      join messages m on m.environment_id = e.environment_id and m.id = e.source_id
      where e.type in (${countedOfNumbers.map((type) => `'${type}'`).join(", ")})`
  },
  {
    name: "ledger",
    table: "activity_hours",
    rows: `select l.environment_id, l.recorded_at as at, 'spend' as measure, l.amount
      from span s join ledger_entries l on l.written_in >= s.since and l.written_in < s.until
      where l.type = 'debit' and l.environment_id is not null`
  }
]

/**
 * Counts the rows of one source between its border and the oldest open transaction, and moves the border, in one
 * statement: a crash loses nothing and counts nothing twice. A border of another database cluster waits until a start has
 * let this cluster's numbers follow it. Another node that counts meanwhile makes this do nothing.
 */
const statement = ({ name, rows, table }: Source): string => `with border as (
    select counted_before, ahead from activity_borders where source = '${name}'
      and system_identifier = (select system_identifier::text from pg_control_system()) for update skip locked
  ), oldest as (
    select pg_snapshot_xmin(pg_current_snapshot())::text::int8 + b.ahead as open, b.counted_before from border b
  ), span as (
    select counted_before as since, greatest(counted_before, least(open, counted_before + ${transactionsAtOnce})) as until,
      counted_before, open
    from oldest
  ), counted as (
    select environment_id, measure, date_trunc('hour', at, 'UTC') as hour, count(*) as count, sum(amount)::int8 as amount
    from (${rows}) r group by 1, 2, 3
  ), added as (
    insert into ${table} (environment_id, measure, hour, count, amount)
    select environment_id, measure, hour, count, amount from counted order by 1, 2, 3
    on conflict (environment_id, measure, hour) do update
      set count = ${table}.count + excluded.count, amount = ${table}.amount + excluded.amount
  ), moved as (
    update activity_borders b set counted_before = s.until from span s
    where b.source = '${name}' and b.counted_before <> s.until
  )
  select until < open as has_more from span`

const statements = sources.map(statement)

/** Counts what happened since the last time, of every environment. */
const count = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const text of statements) {
    while ((yield* one(sql.unsafe<{ readonly has_more: boolean }>(text)))?.has_more === true) {}
  }
})

/** Counting and forgetting of hours, on any node. */
export const activityJobs: ReadonlyArray<Job> = [
  { name: "activity.count", everyMs: 10_000, run: count },
  {
    name: "activity.purge",
    everyMs: hourMs,
    run: Effect.gen(function* () {
      const before = (yield* Clock.currentTimeMillis) - kept
      for (const table of new Set(sources.map(({ table }) => table))) yield* deleteUpTo(table, "hour", before)
    })
  }
]
