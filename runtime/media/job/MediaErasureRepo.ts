import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser } from "../../erasure/Erasers.ts"

/**
 * Erases the files that a customer sent, the files that only this customer received, and their transcripts. It marks
 * the assets as deleted, creates jobs that discard their bytes, and sets the transcripts to null. It deletes media jobs
 * about the customer, done or not, so a late result is not written. A transcription under way is tried once more and
 * then finds its file deleted.
 */
export const erasers = Effect.map(
  SqlClient.SqlClient,
  (sql): ReadonlyArray<Eraser> => [
    {
      move: Effect.fnUntraced(function* ({ environment_id, from, to }) {
        yield* many(sql`update media_jobs set customer_key = ${to}
          where customer_key = ${from} and environment_id = ${environment_id} and customer_type = 'phone_e164'`)
        yield* many(sql`update media_assets set customer_key = ${to}
          where customer_key = ${from} and environment_id = ${environment_id} and customer_type = 'phone_e164'`)
      }),
      clear: Effect.fnUntraced(function* ({ environment_id, erased_at, subject }) {
        const at = instant(erased_at)
        yield* many(sql`delete from media_jobs where customer_key = ${subject.key}
          and environment_id = ${environment_id} and customer_type = ${subject.type} and created_at <= ${at}`)
        yield* many(sql`with erased as materialized (
              select id, environment, blob_key, counted_bytes, trace_id, status from media_assets
              where customer_key = ${subject.key} and environment_id = ${environment_id}
                and customer_type = ${subject.type} and created_at <= ${at} for update
            ), moved as (
              update media_assets t set status = 'deleted', deleted_at = coalesce(t.deleted_at, ${at}), counted_bytes = 0,
                blob_key = null, filename = null, sender_name = null, customer_type = null, customer_key = null,
                expires_at = null, ends_at = null, revision = t.revision + 1, updated_at = ${at}
              from erased e where t.environment_id = ${environment_id} and t.id = e.id
            ), silenced as (
              update media_transcriptions t set text = null from erased e
              where t.asset_id = e.id and t.environment_id = ${environment_id} returning t.id
            ), repeated as (
              update media_jobs j set attempts = j.attempts + 1, due_at = ${at} from silenced s
              where j.environment_id = ${environment_id} and j.id = s.id and j.due_at is not null
            ), discarded as (
              insert into media_jobs (environment_id, id, kind, environment, input, due_at, trace_id, created_at)
              select ${environment_id}, 'discard_' || e.blob_key, 'discard', e.environment,
                json_build_object('blob_key', e.blob_key)::text, ${at}, e.trace_id, ${at}
              from erased e where e.blob_key is not null on conflict (environment_id, id) do nothing
            )
            update media_usage u set used_bytes = greatest(0, u.used_bytes - (select coalesce(sum(counted_bytes), 0)::int8 from erased))
            where u.environment_id = ${environment_id} and exists (select 1 from erased)`)
      })
    }
  ]
)
