import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MediaLifecycle, MediaSource, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"

/** An asset as its row holds it; instants are epoch milliseconds. */
export interface StoredAsset {
  readonly environment_id: string
  readonly id: string
  readonly environment: EnvironmentKind
  readonly source: MediaSource
  readonly provider: string | null
  readonly provider_media_id: string | null
  readonly kind: MediaKind
  readonly lifecycle: MediaLifecycle
  readonly filename: string | null
  readonly mime_type: string
  readonly byte_length: number
  readonly status: MediaStatus
  /** Of the bytes under `blob_key`, lower-case hex. */
  readonly sha256: string | null
  /** The leading bytes under `blob_key` are of another type than was announced. */
  readonly contradicted: boolean
  readonly blob_key: string | null
  readonly counted_bytes: number
  /** Until when a node has said that it takes a body for it; null while none comes. */
  readonly body_until: number | null
  readonly held_by: string | null
  readonly message_id: string | null
  readonly voice: boolean | null
  readonly sender_name: string | null
  readonly customer_type: string | null
  readonly customer_key: string | null
  readonly expires_at: number | null
  readonly upload_expires_at: number | null
  readonly completed_at: number | null
  readonly consumed_at: number | null
  readonly consumed_by_message_id: string | null
  readonly deleted_at: number | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly trace_id: string
  readonly ends_at: number | null
  /** Goes up with every change: a change made on an older one is not written. */
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
}

const minute = 60_000
const day = 24 * 60 * minute

/** How long bytes may be uploaded, in milliseconds. gaps-2 F "Upload and complete" */
const uploadMs = 15 * minute
/** How long a single_use asset waits for its send, in milliseconds. gaps-2 F "Media status transitions" */
const unusedMs = day
/** Days a consumed asset is kept where no policy says otherwise. gaps-2 I "Data retention" */
export const standardRetentionDays = 30

/** What an environment of a kind may hold unless it was given another limit. gaps-2 F "Quota" */
export const standardLimit: { readonly [K in EnvironmentKind]: number } = {
  sandbox: 1_073_741_824,
  production: 10_737_418_240
}

/** What all new assets have in common. */
const blank = {
  provider: null,
  provider_media_id: null,
  sha256: null,
  contradicted: false,
  blob_key: null,
  body_until: null,
  held_by: null,
  message_id: null,
  voice: null,
  sender_name: null,
  customer_type: null,
  customer_key: null,
  expires_at: null,
  upload_expires_at: null,
  completed_at: null,
  consumed_at: null,
  consumed_by_message_id: null,
  deleted_at: null,
  failure_code: null,
  failure_message: null,
  ends_at: null,
  revision: 0
} as const

/** What a new asset is made of. */
export type NewAsset = Pick<
  StoredAsset,
  "environment_id" | "id" | "environment" | "kind" | "filename" | "mime_type" | "byte_length" | "trace_id"
>

/** An asset whose bytes are still to be uploaded; what it announces counts already. gaps-2 F "Quota" */
export const announced = (asset: NewAsset, lifecycle: MediaLifecycle, now: number): StoredAsset => ({
  ...blank,
  ...asset,
  source: "customer",
  lifecycle,
  status: "pending",
  counted_bytes: asset.byte_length,
  upload_expires_at: now + uploadMs,
  ends_at: now + uploadMs,
  created_at: now,
  updated_at: now
})

/** Bytes under a key, as they were stored. */
export interface StoredBytes {
  readonly blob_key: string
  readonly sha256: string
  readonly byte_length: number
  readonly contradicted: boolean
}

/** An asset that is whole from the start: sent inline, or rendered for a send. It is held by whoever it was made for. */
export const made = (
  asset: NewAsset &
    Pick<StoredAsset, "provider" | "held_by"> &
    Partial<Pick<StoredAsset, "customer_type" | "customer_key">>,
  bytes: StoredBytes,
  now: number
): StoredAsset => ({
  ...blank,
  ...asset,
  ...bytes,
  source: "customer",
  lifecycle: "single_use",
  status: "ready",
  counted_bytes: bytes.byte_length,
  completed_at: now,
  expires_at: now + unusedMs,
  ends_at: now + unusedMs,
  created_at: now,
  updated_at: now
})

/** What is known of an inbound file before its bytes were fetched. */
export type CapturedFile = NewAsset &
  Pick<
    StoredAsset,
    "provider" | "provider_media_id" | "message_id" | "voice" | "sender_name" | "customer_type" | "customer_key"
  >

/** An inbound file whose bytes are about to be fetched; its id stays, whatever comes of that. M-INB-21 */
export const captured = (file: CapturedFile, now: number): StoredAsset => ({
  ...blank,
  ...file,
  source: "inbound_provider",
  lifecycle: "single_use",
  status: "pending",
  counted_bytes: 0,
  created_at: now,
  updated_at: now
})

/** The next state of an asset; `updated_at` and revision are the write's affair. */
type Changed = Partial<StoredAsset>

const changed = (asset: StoredAsset, now: number, change: Changed): StoredAsset => ({
  ...asset,
  revision: asset.revision + 1,
  updated_at: now,
  ...change
})

/** Whether bytes may still be uploaded to it. */
export const isAwaited = (asset: StoredAsset, now: number): boolean =>
  asset.source === "customer" && statusAt(asset, now) === "pending"

/** Where it stands at an instant: what time alone moved counts before its row says so. gaps-2 F "Media status transitions" */
export const statusAt = ({ ends_at, held_by, status }: StoredAsset, now: number): MediaStatus =>
  ends_at !== null && ends_at <= now && !(status === "ready" && held_by !== null) ? "expired" : status

/** Whether a body is coming for it. */
export const takesBody = ({ body_until }: StoredAsset, now: number): boolean => body_until !== null && body_until > now

/** A body comes for it: beside bytes that lie there already it counts once more. gaps-2 F "Quota" */
export const taking = (asset: StoredAsset, now: number, until: number): StoredAsset =>
  changed(asset, now, { body_until: until, counted_bytes: asset.byte_length * (asset.blob_key === null ? 1 : 2) })

/** The body that came for it was not whole. */
export const takingEnded = (asset: StoredAsset, now: number): StoredAsset =>
  changed(asset, now, { body_until: null, counted_bytes: asset.byte_length })

/** Bytes came for it, in the place of earlier ones. gaps-2 F "Upload and complete" */
export const uploaded = (asset: StoredAsset, bytes: StoredBytes, now: number): StoredAsset =>
  changed(takingEnded(asset, now), now, {
    blob_key: bytes.blob_key,
    sha256: bytes.sha256,
    contradicted: bytes.contradicted,
    revision: asset.revision + 1
  })

/** Its upload is over: ready, or failed when its bytes are not what was announced. gaps-2 F "Upload and complete" */
export const completed = (asset: StoredAsset, now: number): StoredAsset => {
  if (asset.contradicted) {
    return failed(asset, "invalid_media_mime_type", "The bytes are of another type than was announced.", now)
  }
  const ends = asset.lifecycle === "single_use" ? now + unusedMs : null
  return changed(asset, now, {
    status: "ready",
    body_until: null,
    counted_bytes: asset.byte_length,
    completed_at: now,
    expires_at: ends,
    ends_at: ends
  })
}

/** It will have no bytes. */
export const failed = (asset: StoredAsset, code: string, message: string, now: number): StoredAsset =>
  changed(asset, now, {
    status: "failed",
    failure_code: code,
    failure_message: message,
    blob_key: null,
    body_until: null,
    counted_bytes: 0,
    expires_at: null,
    ends_at: null
  })

/** The bytes of an inbound file are stored. gaps-2 F "Media status transitions" */
export const kept = (asset: StoredAsset, bytes: StoredBytes, mime_type: string, days: number, now: number) =>
  changed(asset, now, {
    status: "consumed",
    blob_key: bytes.blob_key,
    sha256: bytes.sha256,
    byte_length: bytes.byte_length,
    counted_bytes: bytes.byte_length,
    mime_type,
    completed_at: now,
    consumed_at: now,
    consumed_by_message_id: asset.message_id,
    expires_at: now + days * day,
    ends_at: now + days * day
  })

/** The asset once its owner deleted it. Whose file it was stays, so that erasure finds its name. M-MED-30 */
export const deleted = (asset: StoredAsset, now: number): StoredAsset =>
  changed(asset, now, {
    status: "deleted",
    deleted_at: now,
    blob_key: null,
    body_until: null,
    counted_bytes: 0,
    expires_at: null,
    ends_at: null,
    sender_name: null
  })

/** Why an asset cannot go with a message, as its delivery code. gaps-2 F "Asset states at send" */
export const judgeForSend = (
  asset: StoredAsset | undefined,
  use: { readonly kind: MediaKind; readonly holder: string },
  now: number
):
  | "media_asset_not_found"
  | "media_asset_not_ready"
  | "media_asset_expired"
  | "invalid_media_mime_type"
  | undefined => {
  if (asset === undefined || asset.status === "deleted") return "media_asset_not_found"
  const status = statusAt(asset, now)
  if (status === "pending" || status === "failed") return "media_asset_not_ready"
  const used = asset.lifecycle === "single_use" && asset.held_by !== null && asset.held_by !== use.holder
  if (status === "expired" || used || (status === "consumed" && asset.held_by !== use.holder)) {
    return "media_asset_expired"
  }
  return asset.kind === use.kind ? undefined : "invalid_media_mime_type"
}
