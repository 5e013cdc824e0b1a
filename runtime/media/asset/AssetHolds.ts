import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { mediaAssetsTable } from "./AssetTables.ts"

const assetTarget = rowOf("media_assets", "id")

const holdWrite = updateOf(mediaAssetsTable, {
  name: "media_assets.hold",
  set: ["held_by"],
  beside: { at: "timestamptz" },
  values: { revision: "t.revision + 1" },
  where:
    "t.lifecycle = 'single_use' and t.held_by is null and t.status in ('pending', 'ready') and (t.ends_at is null or t.ends_at > r.at)",
  target: assetTarget
})

/** Holds a single_use asset for the first message that is to go with it, unless the asset has expired. */
export const holdAsset = (environment_id: string, id: string, held_by: string, at: number): Row =>
  holdWrite.row({ environment_id, id, held_by, at })

const consumeWrite = updateOf(mediaAssetsTable, {
  name: "media_assets.consume",
  set: ["consumed_by_message_id", "consumed_at", "expires_at", "customer_type", "customer_key", "updated_at"],
  beside: { holder: "text" },
  values: { status: "'consumed'", ends_at: "r.expires_at", revision: "t.revision + 1" },
  where: "t.lifecycle = 'single_use' and t.status = 'ready' and t.held_by = r.holder",
  target: assetTarget
})

/** The first send of an asset: which message sent it, and to whom. Instants in epoch milliseconds. */
export interface ConsumedAsset {
  readonly environment_id: string
  readonly id: string
  readonly holder: string
  readonly consumed_by_message_id: string
  readonly consumed_at: number
  readonly expires_at: number
  /** Null for a batch, which goes to many customers. */
  readonly customer_type: string | null
  readonly customer_key: string | null
}

/** Marks a single_use asset as consumed by its first send; a library asset does not change. */
export const consumeAsset = (consumed: ConsumedAsset): Row =>
  consumeWrite.row({ ...consumed, updated_at: consumed.consumed_at })

const takeLongerWrite = updateOf(mediaAssetsTable, {
  name: "media_assets.take_longer",
  set: ["body_until"],
  where: "t.body_until is not null",
  target: assetTarget
})

/** Extends until when a node receives a body for the asset; `body_until` in epoch milliseconds. */
export const takeLonger = (environment_id: string, id: string, body_until: number): Row =>
  takeLongerWrite.row({ environment_id, id, body_until })

const releaseWrite = updateOf(mediaAssetsTable, {
  name: "media_assets.release",
  beside: { holder: "text" },
  values: { held_by: "null", revision: "t.revision + 1" },
  where: "t.held_by = r.holder and t.status in ('pending', 'ready')",
  target: assetTarget
})

/** Releases a held asset, so that another message may use it. */
export const releaseAsset = (environment_id: string, id: string, holder: string): Row =>
  releaseWrite.row({ environment_id, id, holder })
