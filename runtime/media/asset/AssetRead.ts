import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { MediaAsset, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import type { MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import { type StoredAsset, statusAt } from "./AssetState.ts"

/** Returns the request that mints a download URL. gaps-2 F "download-url on other states" */
const downloadOf = (id: string, status: MediaStatus) =>
  status === "ready" || status === "consumed"
    ? ({ method: "GET", path: `/v1/media/${id}/download-url` } as const)
    : null

/**
 * Returns the asset as every read shows it at an instant; the key of its bytes is never part of it. M-MED-01..11,
 * M-MED-38
 */
export const readAsset = (asset: StoredAsset, now: number): MediaAsset => {
  const status = statusAt(asset, now)
  return {
    id: asset.id,
    object: "media_asset",
    source: asset.source,
    provider: asset.provider,
    provider_media_id: asset.provider_media_id,
    kind: asset.kind,
    lifecycle: asset.lifecycle,
    filename: asset.filename,
    mime_type: asset.mime_type,
    byte_length: asset.byte_length,
    status,
    download: downloadOf(asset.id, status),
    expires_at: formatTimestampOrNull(asset.expires_at),
    upload_expires_at: formatTimestampOrNull(asset.upload_expires_at),
    completed_at: formatTimestampOrNull(asset.completed_at),
    consumed_at: formatTimestampOrNull(asset.consumed_at),
    consumed_by_message_id: asset.consumed_by_message_id,
    deleted_at: formatTimestampOrNull(asset.deleted_at),
    failure_code: asset.failure_code,
    failure_message: asset.failure_message,
    trace_id: asset.trace_id,
    created_at: formatTimestamp(asset.created_at),
    updated_at: formatTimestamp(asset.updated_at)
  }
}

/** Returns a file's description with the text that its message has under it, which no file has itself. U-MED-01 */
export const withCaption = (file: MediaDescriptor, caption: string | null | undefined): MediaDescriptor =>
  caption === undefined ? file : { ...file, caption }

/** Returns the asset as messages and events describe it. M-INB-04..09, gaps-2 B "Inner read shapes" */
export const describeAsset = (asset: StoredAsset, now: number): MediaDescriptor => {
  const status = statusAt(asset, now)
  return {
    asset_id: asset.id,
    provider_media_id: asset.provider_media_id,
    kind: asset.kind,
    ...(asset.voice === null ? {} : { voice: asset.voice }),
    mime_type: asset.mime_type,
    byte_length: asset.byte_length,
    filename: asset.filename,
    status,
    failure:
      status === "failed" && asset.failure_code !== null
        ? { code: asset.failure_code, message: asset.failure_message ?? asset.failure_code }
        : null,
    download: downloadOf(asset.id, status)
  }
}
