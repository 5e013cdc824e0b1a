import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { MessageMediaTranscriptionFailed } from "@carteiro/schema/media/MediaEvents.ts"
import type { MediaTranscription } from "@carteiro/schema/media/Transcription.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mediaTranscriptionsTable, transcriptionColumns } from "./SpeechTables.ts"

/** The reason for which a transcription failed. */
export type TranscriptionFailure = EventData<typeof MessageMediaTranscriptionFailed>["error_code"]

/** A transcription as stored in its row; instants are epoch milliseconds. */
export type StoredTranscription = SelectedRow<typeof transcriptionColumns>

/** Rows of `media_transcriptions`; every read stays within one environment and asset. */
export class TranscriptionRepo extends Context.Service<
  TranscriptionRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredTranscription | undefined>
    /** Returns transcriptions newest first, after `before` when given. */
    list(
      environmentId: string,
      assetId: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<StoredTranscription>>
  }
>()("@carteiro/runtime/media/speech/TranscriptionRepo") {
  static readonly layer = Layer.effect(
    TranscriptionRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      TranscriptionRepo.of({
        find: (environmentId, id) =>
          one(
            sql<StoredTranscription>`select ${sql.literal(columns)} from media_transcriptions
              where environment_id = ${environmentId} and id = ${id}`
          ),
        list: (environmentId, assetId, before, count) =>
          many(
            sql<StoredTranscription>`select ${sql.literal(columns)} from media_transcriptions
              where environment_id = ${environmentId} and asset_id = ${assetId} and id < ${before ?? "~"}
              order by id desc limit ${count}`
          )
      })
    )
  )
}

/** Returns the transcription as every read shows it. */
export const readTranscription = (row: StoredTranscription): MediaTranscription => ({
  id: row.id,
  object: "media_transcription",
  media_asset_id: row.asset_id,
  status: row.status,
  text: row.text,
  language: row.language,
  duration_seconds: row.duration_seconds,
  provider: row.provider,
  model: row.model,
  error_code: row.error_code,
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at),
  completed_at: formatTimestampOrNull(row.completed_at)
})

const columns = transcriptionColumns.list

const table = "media_transcriptions"

const insertWrite = insertInto(mediaTranscriptionsTable, {
  columns: ["environment_id", "id", "asset_id", "status", "language", "provider", "trace_id", "created_at"],
  values: { live_asset_id: "r.asset_id" },
  // Two nodes may start one at the same instant; the unique index accepts one of them.
  conflict: "ignore",
  guard: (asked) => `select a.unit from ${asked} a where not exists (
    select 1 from media_transcriptions t where t.live_asset_id = a.asset_id and t.environment_id = a.environment_id)`,
  returning: "id",
  target: rowOf(table, "asset_id")
})

const moveWrite = updateOf(mediaTranscriptionsTable, {
  name: "media_transcriptions.move",
  set: ["status", "text", "language", "duration_seconds", "model", "error_code", "completed_at"],
  values: { live_asset_id: "case when r.status in ('queued', 'processing') then t.asset_id end" },
  guard: "t.live_asset_id is not null",
  target: rowOf(table, "id")
})

/** Starts a transcription and returns its id, unless one of the asset is already under way. */
export const beginTranscription = (transcription: StoredTranscription): Row => insertWrite.row(transcription)

/** True when the commit started the transcription. */
export const hasBegun = (keys: (write: string) => ReadonlySet<string>, id: string): boolean =>
  keys(insertWrite.name).has(id)

/** Changes a transcription that is not over yet. */
export const moveTranscription = (transcription: StoredTranscription): Row => moveWrite.row(transcription)
