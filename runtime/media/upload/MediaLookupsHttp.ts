import { reply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { TranscriptionNotFound } from "@carteiro/schema/media/MediaErrors.ts"
import { type MediaLine, MediaLookupsApi } from "@carteiro/schema/media/MediaLookupsApi.ts"
import { Effect } from "effect"
import { type AssetLineRow, AssetRepo } from "../asset/AssetRepo.ts"
import { statusAt } from "../asset/AssetState.ts"

/** Operations of people that look files up. Decision 0155 */
export const MediaLookupsHttp = Routes.group(
  MediaLookupsApi,
  Effect.gen(function* () {
    const assets = yield* AssetRepo

    return Routes.handlers(MediaLookupsApi, {
      lines: Effect.fnUntraced(function* ({ caller, now, query, traceId }) {
        const { before, limit, ...filters } = query
        const { rows, walked_to } = yield* assets.lines(caller.environment_id, filters, now, before, Number(limit))
        const data = rows.map((row) => lineOf(row, now))
        return valueReply({ traceId }, 200, { object: "list", data, walked_to })
      }),

      ofTranscription: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const { transcription_id: id } = params
        const asset_id = parseId("mtr", id) ? yield* assets.ofTranscription(caller.environment_id, id) : undefined
        if (asset_id === undefined) return yield* new TranscriptionNotFound()
        return reply({ traceId }, 200, { object: "transcribed_media_asset", asset_id })
      })
    })
  })
)

const lineOf = ({ ends_at, held_by, ...row }: AssetLineRow, now: number): MediaLine => ({
  ...row,
  status: statusAt({ ends_at, held_by, status: row.status }, now),
  expires_at: formatTimestampOrNull(row.expires_at),
  created_at: formatTimestamp(row.created_at)
})
