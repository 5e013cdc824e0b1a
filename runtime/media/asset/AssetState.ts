import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MediaLifecycle, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { assetColumns } from "./AssetTables.ts"

/** An asset as stored in its row; instants are epoch milliseconds. */
export type StoredAsset = SelectedRow<typeof assetColumns>

const minute = 60_000
const day = 24 * 60 * minute

/** How long bytes may be uploaded, in milliseconds. gaps-2 F "Upload and complete" */
const uploadMs = 15 * minute
/** How long a single_use asset waits for its send, in milliseconds. gaps-2 F "Media status transitions" */
const unusedMs = day
/** Days that a consumed asset is kept when no policy says otherwise. gaps-2 I "Data retention" */
export const standardRetentionDays = 30

/** The bytes that an environment of each kind may store, unless it has a limit of its own. gaps-2 F "Quota" */
export const standardLimit: { readonly [K in EnvironmentKind]: number } = {
  sandbox: 1_073_741_824,
  production: 10_737_418_240
}

/** The fields that are equal in all new assets. */
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

/** The fields from which a new asset is made. */
export type NewAsset = Pick<
  StoredAsset,
  "environment_id" | "id" | "environment" | "kind" | "filename" | "mime_type" | "byte_length" | "trace_id"
>

/**
 * Returns an asset whose bytes are not uploaded yet; its announced length already counts against the quota. gaps-2 F
 * "Quota"
 */
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

/** Stored bytes: their key, and the properties found while storing them. */
export interface StoredBytes {
  readonly blob_key: string
  readonly sha256: string
  readonly byte_length: number
  /** The type under its own name; for an open type, the one that the bytes and the name show. U-MED-03 */
  readonly mime_type: string
  readonly contradicted: boolean
}

/**
 * Returns an asset that is complete from the start: sent inline, or rendered for a send. The message that it was made
 * for holds it.
 */
export const made = (
  asset: NewAsset &
    Pick<StoredAsset, "provider" | "held_by"> &
    Partial<Pick<StoredAsset, "customer_type" | "customer_key">>,
  bytes: Omit<StoredBytes, "mime_type">,
  now: number
): StoredAsset => ({
  ...blank,
  ...bytes,
  ...asset,
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

/** The facts about an inbound file that are known before its bytes are fetched. */
export type CapturedFile = NewAsset &
  Pick<
    StoredAsset,
    "provider" | "provider_media_id" | "message_id" | "voice" | "sender_name" | "customer_type" | "customer_key"
  >

/**
 * Returns the asset of an inbound file whose bytes will be fetched; the id stays, whether or not the fetch succeeds.
 * M-INB-21
 */
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

/** The changed fields of an asset; the write sets `updated_at` and the revision. */
type Changed = Partial<StoredAsset>

const changed = (asset: StoredAsset, now: number, change: Changed): StoredAsset => ({
  ...asset,
  revision: asset.revision + 1,
  updated_at: now,
  ...change
})

/** True while bytes may be uploaded to the asset. */
export const isAwaited = (asset: StoredAsset, now: number): boolean =>
  asset.source === "customer" && statusAt(asset, now) === "pending"

/**
 * Returns the status at an instant; an asset whose time is over counts as expired before its row says so. gaps-2 F
 * "Media status transitions"
 */
export const statusAt = (
  { ends_at, held_by, status }: Pick<StoredAsset, "ends_at" | "held_by" | "status">,
  now: number
): MediaStatus => (ends_at !== null && ends_at <= now && !(status === "ready" && held_by !== null) ? "expired" : status)

/** True while a node receives a body for the asset. */
export const takesBody = ({ body_until }: StoredAsset, now: number): boolean => body_until !== null && body_until > now

/**
 * Returns the asset while a node receives a body for it: when it already has bytes, its length counts twice. gaps-2 F
 * "Quota"
 */
export const taking = (asset: StoredAsset, now: number, until: number): StoredAsset =>
  changed(asset, now, { body_until: until, counted_bytes: asset.byte_length * (asset.blob_key === null ? 1 : 2) })

/** Returns the asset after a body that did not arrive completely. */
export const takingEnded = (asset: StoredAsset, now: number): StoredAsset =>
  changed(asset, now, { body_until: null, counted_bytes: asset.byte_length })

/** Returns the asset after an upload; the new bytes replace earlier ones. gaps-2 F "Upload and complete" */
export const uploaded = (asset: StoredAsset, bytes: StoredBytes, now: number): StoredAsset =>
  changed(takingEnded(asset, now), now, {
    blob_key: bytes.blob_key,
    sha256: bytes.sha256,
    mime_type: bytes.mime_type,
    contradicted: bytes.contradicted,
    revision: asset.revision + 1
  })

/**
 * Returns the asset after completion: ready, or failed when the bytes differ from what was announced. gaps-2 F "Upload
 * and complete"
 */
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

/** Returns the asset as failed, without bytes. */
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

/** Returns the asset of an inbound file whose bytes are stored. gaps-2 F "Media status transitions" */
export const consumed = (asset: StoredAsset, bytes: StoredBytes, mime_type: string, days: number, now: number) =>
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
    failure_code: null,
    failure_message: null,
    expires_at: now + days * day,
    ends_at: now + days * day
  })

/**
 * Returns the asset after deletion by its environment. It keeps the customer's key, so that erasure finds its file
 * name. M-MED-30
 */
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
