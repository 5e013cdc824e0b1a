import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { type StoredAsset, statusAt } from "./AssetState.ts"

/**
 * Returns the delivery code for which an asset cannot be sent with a message; undefined when it can. gaps-2 F "Asset
 * states at send"
 */
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
