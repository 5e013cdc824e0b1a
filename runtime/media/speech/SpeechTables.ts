import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import type { MessageMediaTranscriptionFailed } from "@carteiro/schema/media/MediaEvents.ts"
import type { TranscriptionStatus } from "@carteiro/schema/media/Transcription.ts"
import { defineTable, float8, nullable, sealed, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** The reason for which a transcription failed. */
type TranscriptionFailure = EventData<typeof MessageMediaTranscriptionFailed>["error_code"]

/** Transcriptions of voice messages. */
export const mediaTranscriptionsTable = defineTable("media_transcriptions", {
  owner: "media",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    asset_id: text,
    live_asset_id: nullable(text),
    status: textOf<TranscriptionStatus>(),
    text: nullable(text),
    language: nullable(text),
    duration_seconds: nullable(float8),
    provider: text,
    model: nullable(text),
    error_code: nullable(textOf<TranscriptionFailure>()),
    trace_id: text,
    created_at: timestamptz,
    completed_at: nullable(timestamptz)
  }
})

/** Keys of an environment at vendors of speech, sealed and bound to their row. */
export const speechCredentialsTable = defineTable("speech_credentials", {
  owner: "media",
  erasure: tenant,
  key: ["environment_id", "provider"],
  columns: {
    environment_id: text,
    provider: text,
    api_key: sealed(text, "key of the tenant"),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a transcription that reads and jobs use. */
export const transcriptionColumns = select(
  mediaTranscriptionsTable,
  "environment_id",
  "id",
  "asset_id",
  "status",
  "text",
  "language",
  "duration_seconds",
  "provider",
  "model",
  "error_code",
  "trace_id",
  "created_at",
  "completed_at"
)
