import type { MediaAsset } from "@carteiro/schema/media/MediaAsset.ts"
import { Context, Effect, Layer } from "effect"
import { readAsset } from "./AssetRead.ts"
import { AssetRepo } from "./AssetRepo.ts"

/** Finds the files of an environment by their ids, for the search of the dashboard. M-MED-01..11 */
export class MediaDirectory extends Context.Service<
  MediaDirectory,
  {
    /** Returns a file as it stands at `now`, epoch milliseconds. */
    find(environmentId: string, id: string, now: number): Effect.Effect<MediaAsset | undefined>
    /** Returns the file that a transcription is of. */
    ofTranscription(environmentId: string, id: string): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/media/asset/MediaDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(AssetRepo, (repo) =>
      MediaDirectory.of({
        find: (environmentId, id, now) =>
          Effect.map(repo.find(environmentId, id), (asset) =>
            asset === undefined ? undefined : readAsset(asset, now)
          ),
        ofTranscription: repo.ofTranscription
      })
    )
  )
}
