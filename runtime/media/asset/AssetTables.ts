import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MediaLifecycle, MediaSource, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Files of an environment; instants are epoch milliseconds. */
export const mediaAssetsTable = defineTable("media_assets", {
  owner: "media",
  erasure: "erased",
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    source: textOf<MediaSource>(),
    provider: nullable(text),
    provider_media_id: nullable(text),
    kind: textOf<MediaKind>(),
    lifecycle: textOf<MediaLifecycle>(),
    filename: nullable(text),
    mime_type: text,
    byte_length: int8,
    status: textOf<MediaStatus>(),
    /** SHA-256 of the bytes under `blob_key`, lower-case hex. */
    sha256: nullable(text),
    /** True when the leading bytes under `blob_key` are of another type than the announced one. */
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
    /** Increases with every change; a change that was made on an older revision is not written. */
    revision: defaulted(int4),
    created_at: timestamptz,
    updated_at: timestamptz,
    /** The instant until which a node has claimed the asset to receive a body; null when no body is coming. */
    body_until: nullable(timestamptz)
  }
})

/** The bytes that files and open uploads of an environment take up, moved in the statement that moves a file. */
export const mediaUsageTable = defineTable("media_usage", {
  owner: "media",
  erasure: ids,
  reset: "changed",
  key: ["environment_id"],
  columns: {
    environment_id: text,
    environment: text,
    used_bytes: defaulted(int8),
    limit_bytes: nullable(int8)
  }
})

/** The columns of an asset that reads and rules use. */
export const assetColumns = select(
  mediaAssetsTable,
  "environment_id",
  "id",
  "environment",
  "source",
  "provider",
  "provider_media_id",
  "kind",
  "lifecycle",
  "filename",
  "mime_type",
  "byte_length",
  "status",
  "sha256",
  "contradicted",
  "blob_key",
  "counted_bytes",
  "body_until",
  "held_by",
  "message_id",
  "voice",
  "sender_name",
  "customer_type",
  "customer_key",
  "expires_at",
  "upload_expires_at",
  "completed_at",
  "consumed_at",
  "consumed_by_message_id",
  "deleted_at",
  "failure_code",
  "failure_message",
  "trace_id",
  "ends_at",
  "revision",
  "created_at",
  "updated_at"
)

/** The columns of a line of a file. */
export const assetLineColumns = select(
  mediaAssetsTable,
  "id",
  "filename",
  "kind",
  "mime_type",
  "byte_length",
  "status",
  "failure_code",
  "lifecycle",
  "expires_at",
  "consumed_by_message_id",
  "created_at",
  "ends_at",
  "held_by"
)
