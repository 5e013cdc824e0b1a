import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keptDays, keptDaysOf } from "../../tenancy/KeptDays.ts"
import { withoutSource } from "../message/MessageWrites.ts"

const batch = 500

interface Slice {
  readonly seen: number
  /** The last id read, and the first id whose message still needs its payload. */
  readonly last: string | null
  readonly waiting: string | null
}

/**
 * Clears content, payload and names of messages that are older than the environment's payload retention; recipient,
 * metadata and statuses stay. A message that is not sent yet keeps its payload until then. Each sweep continues after
 * the one before, along the primary key.
 */
export const payloadSweep: Job = {
  name: "messages.payloads",
  everyMs: hourMs,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const daysOf = yield* keptDays
    let environmentId: string | undefined = ""
    while (true) {
      const next: { readonly environment_id: string; readonly swept_to: string | null } | undefined = yield* one(
        sql<{ readonly environment_id: string; readonly swept_to: string | null }>`select m.environment_id, s.swept_to
          from (select environment_id from messages where environment_id > ${environmentId} order by environment_id
            limit 1) m
          left join message_sweeps s on s.environment_id = m.environment_id`
      )
      if (next === undefined) return
      environmentId = next.environment_id
      yield* sweepFrom(environmentId, next.swept_to ?? "", daysOf(environmentId).payload_retention_days, now)
    }
  }),
  ofTenant: Effect.fnUntraced(function* (environmentId, now) {
    const sql = yield* SqlClient.SqlClient
    const { payload_retention_days } = yield* keptDaysOf(environmentId)
    const before = yield* one(sql<{ readonly swept_to: string }>`select swept_to from message_sweeps
      where environment_id = ${environmentId}`)
    yield* sweepFrom(environmentId, before?.swept_to ?? "", payload_retention_days, now)
  })
}

/** Sweeps one environment from an id on, and records where the next sweep begins. */
const sweepFrom = Effect.fnUntraced(function* (environmentId: string, from: string, days: number, now: number) {
  const sql = yield* SqlClient.SqlClient
  const reached = yield* sweepOne(environmentId, from, lowestIdAt("msg", now - days * dayMs), now)
  if (reached === from) return
  yield* many(sql`insert into message_sweeps (environment_id, swept_to) values (${environmentId}, ${reached})
    on conflict (environment_id) do update set swept_to = excluded.swept_to`)
})

/** Sweeps one environment from an id (included) up to another (not included); returns where the next sweep begins. */
const sweepOne = Effect.fnUntraced(function* (environmentId: string, from: string, bound: string, now: number) {
  const sql = yield* SqlClient.SqlClient
  let at = from
  let waiting: string | undefined
  while (true) {
    const slice: Slice | undefined = yield* one(sql.unsafe<Slice>(sweepSql, [environmentId, at, bound, instant(now)]))
    waiting ??= slice?.waiting ?? undefined
    // The id with one more digit is the next possible id, so no message is skipped.
    if (typeof slice?.last === "string") at = `${slice.last}0`
    if (slice === undefined || slice.seen < batch) return waiting ?? at
  }
})

const sweepSql = `with slice as materialized (
    select id, status, redacted_at from messages where environment_id = $1 and id >= $2 and id < $3
    order by id limit ${batch}
  ), cleared as (
    update messages m set content = null, provider_payload = null, customer_name = null,
      context = ${withoutSource("m.context")}, redacted_at = $4::timestamptz
    from slice s where m.environment_id = $1 and m.id = s.id and s.redacted_at is null
      and m.status not in ('queued', 'sending')
  )
  select count(*)::int4 as seen, max(id) as last, min(id) filter (where status in ('queued', 'sending')) as waiting
  from slice`
