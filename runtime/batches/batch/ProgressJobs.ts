import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { receiptRetentionMs } from "./BatchRead.ts"

const minute = 60_000
/** The age at which no request uses a stage any more, in milliseconds. */
const abandonedAfterMs = 10 * minute
const rowsAtOnce = 5000

/**
 * Adds to ended batches the outcomes that their messages have reached since; its owner counts those of a batch that is
 * processing. Batches are locked in the order of their key, as in commits.
 */
const sumUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  while (true) {
    const summed = yield* many(sql<{ readonly rows: number }>`with appended as materialized (
        select p.id, p.batch_id, p.environment_id from batch_progress p
        join batches b on b.environment_id = p.environment_id and b.id = p.batch_id
        where b.status in ('completed', 'cancelled', 'failed') order by p.id limit ${rowsAtOnce}
      ), locked as materialized (
        select b.environment_id, b.id from batches b
        where (b.environment_id, b.id) in (select environment_id, batch_id from appended)
        order by b.environment_id, b.id for update
      ), gone as (
        delete from batch_progress p using appended s where p.environment_id = s.environment_id
          and p.batch_id = s.batch_id and p.id = s.id
          and exists (select 1 from locked l where l.environment_id = s.environment_id and l.id = s.batch_id)
        returning p.*
      ), sums as (
        select environment_id, batch_id, sum(sent)::int4 as sent, sum(delivered)::int4 as delivered,
          sum(read)::int4 as read, sum(failed)::int4 as failed, sum(skipped)::int4 as skipped,
          sum(cancelled)::int4 as cancelled, sum(gone)::int4 as gone, count(*)::int4 as rows
        from gone group by environment_id, batch_id
      )
      update batches b set sent_count = b.sent_count + s.sent, delivered_count = b.delivered_count + s.delivered,
        read_count = b.read_count + s.read, failed_count = b.failed_count + s.failed,
        skipped_count = b.skipped_count + s.skipped, cancelled_count = b.cancelled_count + s.cancelled,
        left_count = b.left_count + s.gone
      from sums s where b.environment_id = s.environment_id and b.id = s.batch_id returning s.rows`)
    if (summed.reduce((sum, { rows }) => sum + rows, 0) < rowsAtOnce) return
  }
})

/** Deletes stages whose request ended before it published them. */
const sweepStages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = instant((yield* Clock.currentTimeMillis) - abandonedAfterMs)
  while (true) {
    const swept = yield* many(sql`with swept as (
        delete from batch_stages where ctid = any(array(select ctid from batch_stages where staged_at <= ${before}
          order by staged_at limit 10 for update skip locked))
        returning environment_id, batch_id
      ), recipients as (
        delete from batch_recipients r using swept s
        where r.environment_id = s.environment_id and r.batch_id = s.batch_id
      )
      select 1 from swept`)
    if (swept.length === 0) return
  }
})

/** Clears the reasons that guards gave for recipients, after 90 days. gaps-2 H "Recipients and failure export" */
const forgetReceipts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = instant((yield* Clock.currentTimeMillis) - receiptRetentionMs)
  while (true) {
    const forgotten = yield* many(sql`update batch_recipients set guard_reason = null, next_allowed_at = null
      where ctid = any(array(select ctid from batch_recipients
        where failed_at <= ${before} and (guard_reason is not null or next_allowed_at is not null)
        order by failed_at limit 1000 for update skip locked)) returning 1`)
    if (forgotten.length === 0) return
  }
})

/** Periodic jobs of the room. */
export const jobs: ReadonlyArray<Job> = [
  { name: "progress of ended batches", everyMs: minute, run: sumUp },
  { name: "abandoned stages of batches", everyMs: minute, run: sweepStages },
  { name: "receipts of batches past their retention", everyMs: 60 * minute, run: forgetReceipts }
]
