import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MediaAsset } from "@carteiro/schema/media/MediaAsset.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { readAsset } from "./AssetRead.ts"
import { type AssetFilters, AssetRepo } from "./AssetRepo.ts"
import { standardLimit } from "./AssetState.ts"

/** The storage that an environment uses, in bytes. gaps-2 F "Quota" */
export interface MediaUsage {
  readonly used: number
  readonly limit: number
}

/** The files of an environment and the storage that they use, for the dashboard. M-MED-01..11, M-MED-14 */
export class MediaDirectory extends Context.Service<
  MediaDirectory,
  {
    usage(environment: { readonly id: string; readonly kind: EnvironmentKind }): Effect.Effect<MediaUsage>
    find(environmentId: string, id: string, now: number): Effect.Effect<MediaAsset | undefined>
    /** Returns the file that a transcription is of. */
    ofTranscription(environmentId: string, id: string): Effect.Effect<string | undefined>
    /** Returns assets newest first, before the asset with the given id, as they stand at `now` (epoch milliseconds). */
    list(
      environmentId: string,
      filters: AssetFilters,
      now: number,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<MediaAsset>>
  }
>()("@carteiro/runtime/media/asset/MediaDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AssetRepo
      return MediaDirectory.of({
        find: (environmentId, id, now) =>
          Effect.map(repo.find(environmentId, id), (asset) =>
            asset === undefined ? undefined : readAsset(asset, now)
          ),
        ofTranscription: repo.ofTranscription,
        usage: ({ id, kind }) =>
          Effect.map(repo.usage(id), ({ limit_bytes, used_bytes }) => ({
            used: used_bytes,
            limit: limit_bytes ?? standardLimit[kind]
          })),
        list: (environmentId, filters, now, before, count) =>
          Effect.map(repo.list(environmentId, filters, now, before, count), ({ rows, walked_to }) => ({
            rows: rows.map((asset) => readAsset(asset, now)),
            walked_to
          }))
      })
    })
  )
}
