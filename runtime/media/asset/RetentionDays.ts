import { Context, Effect } from "effect"
import { standardRetentionDays } from "./AssetState.ts"

/**
 * The days that an environment keeps consumed files; the room with the retention policy provides it. gaps-2 I "Data
 * retention"
 */
export const MediaRetentionDays = Context.Reference<(environmentId: string) => Effect.Effect<number>>(
  "@carteiro/runtime/media/asset/MediaRetentionDays",
  { defaultValue: () => () => Effect.succeed(standardRetentionDays) }
)
