import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { handleMs } from "./MediaHandleRepo.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const batch = 500

/** How long a held single_use asset may stay unused, in milliseconds: longer than any message waits. */
const heldMs = 7 * day
/**
 * How long the content of a link or of a provider's file is kept as known, in milliseconds.
 */
const lookedMs = day
/** How long the results of other jobs are kept, in milliseconds. */
const doneMs = 7 * day

/** Expires one batch of assets of one environment and returns their number; `at` in epoch milliseconds. */
const expireSome = Effect.fnUntraced(function* (environmentId: string, at: number) {
  const sql = yield* SqlClient.SqlClient
  const now = instant(at)
  const ended = yield* many(sql`with ended as materialized (
      select environment_id, id, blob_key, counted_bytes from media_assets
      where environment_id = ${environmentId} and ends_at <= ${now}
        and (held_by is null or status <> 'ready' or ends_at <= ${instant(at - heldMs)})
      order by ends_at limit ${batch} for update
    ), moved as (
      update media_assets t set status = 'expired', counted_bytes = 0, blob_key = null, ends_at = null,
        expires_at = coalesce(t.expires_at, t.ends_at), revision = t.revision + 1, updated_at = ${now}
      from ended e where t.environment_id = e.environment_id and t.id = e.id
      returning t.environment_id, t.environment, t.trace_id, e.blob_key, e.counted_bytes
    ), discarded as (
      insert into media_jobs (environment_id, id, kind, environment, input, due_at, trace_id, created_at)
      select m.environment_id, 'discard_' || m.blob_key, 'discard', m.environment,
        json_build_object('blob_key', m.blob_key)::text, ${now}, m.trace_id, ${now}
      from moved m where m.blob_key is not null on conflict (environment_id, id) do nothing
    ), room as (
      update media_usage u set used_bytes = greatest(0, u.used_bytes - s.bytes)
      from (select environment_id, sum(counted_bytes)::int8 as bytes from moved group by 1) s
      where u.environment_id = s.environment_id
    )
    select from ended`)
  return ended.length
})

/**
 * Expires assets by time: uploads that were not completed, single_use assets that were not sent, consumed assets after
 * their retention. The statement that expires them frees their room and creates the owner's jobs that remove the bytes.
 * It handles one environment at a time and locks assets before usage, which is the lock order of all commits.
 */
const expire: Job = {
  name: "media.expiries",
  everyMs: minute,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = yield* Clock.currentTimeMillis
    const now = instant(at)
    const heldLong = instant(at - heldMs)
    while (true) {
      const ended = yield* many(sql<{ readonly environment_id: string }>`select environment_id from media_assets
        where ends_at <= ${now} and (held_by is null or status <> 'ready' or ends_at <= ${heldLong}) order by ends_at limit ${batch}`)
      const environments = [...new Set(ended.map(({ environment_id }) => environment_id))]
      for (const environment of environments) yield* expireSome(environment, at)
      if (ended.length < batch) return
    }
  }),
  ofTenant: Effect.fnUntraced(function* (environmentId, now) {
    while ((yield* expireSome(environmentId, now)) >= batch) {}
  })
}

/** Deletes results that no message needs any more. */
const forget: Job = {
  name: "media.results",
  everyMs: hour,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    while (true) {
      const gone = yield* many(sql`delete from media_jobs where ctid = any(array(
        select ctid from media_jobs where done_at <= ${instant(now - lookedMs)}
          and (kind in ('look', 'discard', 'sweep', 'capture') or done_at <= ${instant(now - doneMs)})
        order by done_at limit ${batch} for update skip locked)) returning 1`)
      if (gone.length < batch) return
    }
  })
}

/** Deletes ids of files that the provider may have deleted. */
const forgetHandles: Job = {
  name: "media.handles",
  everyMs: hour,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const before = instant((yield* Clock.currentTimeMillis) - handleMs)
    while (true) {
      const gone = yield* many(sql`delete from media_handles where ctid = any(array(
        select ctid from media_handles where given_at <= ${before} order by given_at limit ${batch}
        for update skip locked)) returning 1`)
      if (gone.length < batch) return
    }
  })
}

/** Creates a sweep job once a day for each environment that ever had files. */
const sweep: Job = {
  name: "media.sweeps",
  everyMs: day,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = instant(yield* Clock.currentTimeMillis)
    yield* many(sql`insert into media_jobs (environment_id, id, kind, environment, input, due_at, trace_id, created_at)
      select u.environment_id, 'sweep', 'sweep', u.environment, '{}', ${now}, '', ${now} from media_usage u
      order by u.environment_id
      on conflict (environment_id, id) do update set due_at = excluded.due_at, done_at = null, attempts = 0`)
  })
}

/** The periodic jobs of the room. */
export const jobs: ReadonlyArray<Job> = [expire, forget, forgetHandles, sweep]
