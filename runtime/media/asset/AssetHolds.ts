import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"

const key = { environment_id: "text", id: "text" } as const
const assetTarget = rowOf("media_assets", "id")

const holdWrite = defineUpdate({
  name: "media_assets.hold",
  table: "media_assets",
  key,
  set: { held_by: "text" },
  beside: { at: "timestamptz" },
  values: { revision: "t.revision + 1" },
  where:
    "t.lifecycle = 'single_use' and t.held_by is null and t.status in ('pending', 'ready') and (t.ends_at is null or t.ends_at > r.at)",
  target: assetTarget
})

/** A single_use asset is kept for the first that is to go with it, unless its time is over. */
export const holdAsset = (environment_id: string, id: string, held_by: string, at: number): Row =>
  holdWrite.row({ environment_id, id, held_by, at })

const consumeWrite = defineUpdate({
  name: "media_assets.consume",
  table: "media_assets",
  key,
  set: {
    consumed_by_message_id: "text",
    consumed_at: "timestamptz",
    expires_at: "timestamptz",
    customer_type: "text",
    customer_key: "text",
    updated_at: "timestamptz"
  },
  beside: { holder: "text" },
  values: { status: "'consumed'", ends_at: "r.expires_at", revision: "t.revision + 1" },
  where: "t.lifecycle = 'single_use' and t.status = 'ready' and t.held_by = r.holder",
  target: assetTarget
})

/** What a holder sent for the first time, and to whom; instants in epoch milliseconds. */
export interface ConsumedAsset {
  readonly environment_id: string
  readonly id: string
  readonly holder: string
  readonly consumed_by_message_id: string
  readonly consumed_at: number
  readonly expires_at: number
  /** Null where it goes to many. */
  readonly customer_type: string | null
  readonly customer_key: string | null
}

/** A single_use asset was sent for the first time; one of the library stays as it is. */
export const consumeAsset = (consumed: ConsumedAsset): Row =>
  consumeWrite.row({ ...consumed, updated_at: consumed.consumed_at })

const takeLongerWrite = defineUpdate({
  name: "media_assets.take_longer",
  table: "media_assets",
  key,
  set: { body_until: "timestamptz" },
  where: "t.body_until is not null",
  target: assetTarget
})

/** A body is still coming for it, until then at least. */
export const takeLonger = (environment_id: string, id: string, body_until: number): Row =>
  takeLongerWrite.row({ environment_id, id, body_until })

const releaseWrite = defineUpdate({
  name: "media_assets.release",
  table: "media_assets",
  key,
  beside: { holder: "text" },
  values: { held_by: "null", revision: "t.revision + 1" },
  where: "t.held_by = r.holder and t.status in ('pending', 'ready')",
  target: assetTarget
})

/** What is held may go with another. */
export const releaseAsset = (environment_id: string, id: string, holder: string): Row =>
  releaseWrite.row({ environment_id, id, holder })
