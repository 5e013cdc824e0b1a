import { Context, Effect } from "effect"
import { standardRetentionDays } from "./AssetState.ts"

/** How long an environment keeps consumed files, in days, told by the room that holds its policy. gaps-2 I "Data retention" */
export const MediaRetentionDays = Context.Reference<(environmentId: string) => Effect.Effect<number>>(
  "@carteiro/runtime/media/asset/MediaRetentionDays",
  { defaultValue: () => () => Effect.succeed(standardRetentionDays) }
)
