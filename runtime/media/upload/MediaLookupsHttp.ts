import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { TranscriptionNotFound } from "@carteiro/schema/media/MediaErrors.ts"
import { MediaLookupsApi } from "@carteiro/schema/media/MediaLookupsApi.ts"
import { Effect } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"

/** Operations of people that look files up. Decision 0155 */
export const MediaLookupsHttp = Routes.group(
  MediaLookupsApi,
  Effect.gen(function* () {
    const assets = yield* AssetRepo

    return Routes.handlers(MediaLookupsApi, {
      ofTranscription: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const { transcription_id: id } = params
        const asset_id = parseId("mtr", id) ? yield* assets.ofTranscription(caller.environment_id, id) : undefined
        if (asset_id === undefined) return yield* new TranscriptionNotFound()
        return reply({ traceId }, 200, { object: "transcribed_media_asset", asset_id })
      })
    })
  })
)
