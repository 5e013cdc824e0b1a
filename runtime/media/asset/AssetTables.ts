import { bool, defaulted, defineTable, int4, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Files of an environment. */
export const mediaAssetsTable = defineTable("media_assets", {
  owner: "media",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    source: text,
    provider: nullable(text),
    provider_media_id: nullable(text),
    kind: text,
    lifecycle: text,
    filename: nullable(text),
    mime_type: text,
    byte_length: int8,
    status: text,
    sha256: nullable(text),
    contradicted: defaulted(bool),
    blob_key: nullable(text),
    counted_bytes: int8,
    held_by: nullable(text),
    message_id: nullable(text),
    voice: nullable(bool),
    sender_name: nullable(text),
    customer_type: nullable(text),
    customer_key: nullable(text),
    expires_at: nullable(timestamptz),
    upload_expires_at: nullable(timestamptz),
    completed_at: nullable(timestamptz),
    consumed_at: nullable(timestamptz),
    consumed_by_message_id: nullable(text),
    deleted_at: nullable(timestamptz),
    failure_code: nullable(text),
    failure_message: nullable(text),
    trace_id: text,
    ends_at: nullable(timestamptz),
    revision: defaulted(int4),
    created_at: timestamptz,
    updated_at: timestamptz,
    body_until: nullable(timestamptz)
  }
})

/** The bytes that files and open uploads of an environment take up, moved in the statement that moves a file. */
export const mediaUsageTable = defineTable("media_usage", {
  owner: "media",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    environment: text,
    used_bytes: defaulted(int8),
    limit_bytes: nullable(int8)
  }
})
