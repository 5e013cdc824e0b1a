import type { BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { BatchRow, FailureRow, RecipientRow } from "./BatchRead.ts"
import { batchColumns, failureColumns, recipientColumns } from "./BatchTables.ts"

/** How many recipients a batch failed for with one code and guard, and when the guard allows the first of them again. */
export interface FailureReason {
  readonly error_code: string | null
  readonly guard_reason: string | null
  /** Epoch milliseconds. */
  readonly next_allowed_at: number | null
  readonly count: number
}

/** Reads of batches, always within one environment but for the owner, who knows his by its id alone. */
export class BatchRepo extends Context.Service<
  BatchRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<BatchRow | undefined>
    /** The batch of an owner. */
    load(id: string): Effect.Effect<BatchRow | undefined>
    /** Newest first, after the one with that id, out of a bounded walk. */
    list(
      environmentId: string,
      status: BatchStatus | undefined,
      after: string | undefined,
      count: number
    ): Effect.Effect<Walked<BatchRow>>
    /** Recipients behind a position, each beside its message. */
    recipients(
      batch: Pick<BatchRow, "environment_id" | "id" | "recipient_count">,
      after: number,
      count: number
    ): Effect.Effect<ReadonlyArray<RecipientRow>>
    /** Those of them that were refused, or whose message failed. */
    failures(
      batch: Pick<BatchRow, "environment_id" | "id" | "recipient_count">,
      after: number,
      count: number
    ): Effect.Effect<ReadonlyArray<FailureRow>>
    /** Failures among the first recipients by code and guard, the most frequent first. */
    reasons(
      batch: Pick<BatchRow, "environment_id" | "id" | "recipient_count">,
      within: number
    ): Effect.Effect<ReadonlyArray<FailureReason>>
  }
>()("@carteiro/runtime/batches/batch/BatchRepo") {
  static readonly layer = Layer.effect(
    BatchRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(selectBatches)
      return BatchRepo.of({
        find: (environmentId, id) =>
          one(sql<BatchRow>`${select} where b.environment_id = ${environmentId} and b.id = ${id}`),
        load: (id) => one(sql<BatchRow>`${select} where b.id = ${id}`),
        list: (environmentId, status, after, count) =>
          walk<BatchRow>(sql, {
            table: "batches",
            along: [sql`environment_id = ${environmentId}`, sql`id < ${after ?? "~"}`],
            narrowed: status === undefined ? [] : [sql`status = ${status}`],
            page: (conditions) => sql`${select} where ${sql.and(conditions)} order by b.id desc limit ${count}`
          }),
        recipients: ({ environment_id, id, recipient_count }, after, count) =>
          many(sql<RecipientRow>`select ${sql.literal(recipientColumns.of("r"))},
              m.status as message_status, m.status_reason as message_status_reason, m.error_code as message_error_code
            from batch_recipients r left join lateral (select status, status_reason, error_code from messages t
              where t.environment_id = r.environment_id and t.id = r.message_id limit 1) m on r.state = 'enqueued'
            where r.environment_id = ${environment_id} and r.batch_id = ${id} and r.position > ${after}
              and r.position < ${recipient_count}
            order by r.position limit ${count}`),
        failures: ({ environment_id, id, recipient_count }, after, count) =>
          many(sql<FailureRow>`select ${sql.literal(failureColumns.of("r"))},
              m.error_code as message_error_code,
              m.error_message as message_error_message, m.events as message_events
            from batch_recipients r left join lateral (select status, error_code, error_message, events from messages t
              where t.environment_id = r.environment_id and t.id = r.message_id limit 1) m on r.state = 'enqueued'
            where r.environment_id = ${environment_id} and r.batch_id = ${id} and r.position > ${after}
              and r.position < ${recipient_count} and (r.state = 'refused' or m.status = 'failed')
            order by r.position limit ${count}`),
        reasons: ({ environment_id, id, recipient_count }, within) =>
          many(sql<FailureReason>`select coalesce(r.error_code, m.error_code) as error_code, r.guard_reason,
              min(r.next_allowed_at) as next_allowed_at, count(*)::int4 as count
            from batch_recipients r left join lateral (select status, error_code from messages t
              where t.environment_id = r.environment_id and t.id = r.message_id limit 1) m on r.state = 'enqueued'
            where r.environment_id = ${environment_id} and r.batch_id = ${id}
              and r.position < ${Math.min(within, recipient_count)} and (r.state = 'refused' or m.status = 'failed')
            group by 1, 2 order by count(*) desc, 1, 2`)
      })
    })
  )
}

/** Batches as `b`, with what commits of messages have appended since it was summed up last. */
const selectBatches = `select ${batchColumns.of("b")}, b.sent_count + p.sent as sent_count,
    b.delivered_count + p.delivered as delivered_count, b.read_count + p.read as read_count,
    b.failed_count + p.failed as failed_count, b.skipped_count + p.skipped as skipped_count,
    b.cancelled_count + p.cancelled as cancelled_count, b.left_count + p.gone as gone
  from batches b cross join lateral (
    select coalesce(sum(sent), 0)::int4 as sent, coalesce(sum(delivered), 0)::int4 as delivered,
      coalesce(sum(read), 0)::int4 as read, coalesce(sum(failed), 0)::int4 as failed,
      coalesce(sum(skipped), 0)::int4 as skipped, coalesce(sum(cancelled), 0)::int4 as cancelled,
      coalesce(sum(gone), 0)::int4 as gone
    from batch_progress t where t.batch_id = b.id and t.environment_id = b.environment_id) p`
