import { defineTable, float8, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

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
    status: text,
    text: nullable(text),
    language: nullable(text),
    duration_seconds: nullable(float8),
    provider: text,
    model: nullable(text),
    error_code: nullable(text),
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
