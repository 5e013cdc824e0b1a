import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { judgeForSend } from "../asset/AssetForSend.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { baseType } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"

/** Files of an environment that serve as examples of a message: they are read and never consumed. */
export class ExampleFiles extends Context.Service<
  ExampleFiles,
  {
    /**
     * Opens a file of that kind; fails with the delivery code for which it could not be sent. gaps-2 F "Asset states at
     * send"
     */
    open(
      environmentId: string,
      assetId: string,
      kind: MediaKind
    ): Effect.Effect<{ readonly file: Extract<ChatFile, { readonly _tag: "Bytes" }> } | { readonly code: string }>
  }
>()("@carteiro/runtime/media/use/ExampleFiles") {
  static readonly layer = Layer.effect(
    ExampleFiles,
    Effect.gen(function* () {
      const assets = yield* AssetRepo
      const blobs = yield* Blobs
      return ExampleFiles.of({
        open: Effect.fnUntraced(function* (environmentId, assetId, kind) {
          const asset = yield* assets.find(environmentId, assetId)
          const code = judgeForSend(asset, { kind, holder: "" }, yield* Clock.currentTimeMillis)
          if (asset === undefined || code !== undefined) return { code: code ?? "media_asset_not_found" }
          const { blob_key, byte_length, filename, mime_type } = asset
          if (blob_key === null) return { code: "media_asset_not_ready" }
          const open = Effect.succeed(blobs.read(blob_key))
          return { file: { _tag: "Bytes" as const, mime_type: baseType(mime_type), filename, byte_length, open } }
        })
      })
    })
  ).pipe(Layer.provide([AssetRepo.layer, Blobs.layer]))
}
