import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { inTurns, oneSlice, sliceBytes } from "@carteiro/owners/Slices.ts"
import { MediaStorageQuotaExceeded } from "@carteiro/schema/media/MediaErrors.ts"
import { Effect, Layer, Stream } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { deleted, made } from "../asset/AssetState.ts"
import { canonicalType } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"
import { storeFailed } from "../blob/StoreFailed.ts"
import { discardOf } from "../job/MediaJobRepo.ts"
import { InlineFiles } from "./InlineFiles.ts"

export const inlineFilesLayer = Layer.effect(
  InlineFiles,
  Effect.gen(function* () {
    const assets = yield* AssetRepo
    const blobs = yield* Blobs
    const commit = yield* Commit
    const ids = yield* Ids
    return InlineFiles.of({
      drop: (environmentId, assetId, now) =>
        Effect.gen(function* () {
          const asset = yield* assets.find(environmentId, assetId)
          if (asset === undefined) return
          const after = deleted(asset, now)
          yield* commit.write([...assets.save(asset, after), ...discardOf(asset, after, now)])
        }).pipe(Effect.ignore),
      keep: Effect.fnUntraced(function* (call, message_id, customer, kind, inline) {
        const { environment, environment_id } = call.caller
        const id = ids.mint("mda", call.now)
        const filename = inline.filename ?? null
        const stored = yield* Effect.catchTag(
          blobs.store(
            { environment_id, id, kind, filename, mime_type: canonicalType(inline.mime_type), now: call.now },
            decoded(environment_id, inline.data_base64)
          ),
          "BlobStoreFailed",
          storeFailed
        )
        const asset = made(
          {
            environment_id,
            id,
            environment,
            kind,
            filename,
            mime_type: stored.mime_type,
            byte_length: stored.byte_length,
            trace_id: call.traceId,
            provider: null,
            held_by: message_id,
            customer_type: customer?.type ?? null,
            customer_key: customer?.key ?? null
          },
          stored,
          call.now
        )
        const keys = yield* Effect.onError(commit.write(assets.insert(asset)), () => blobs.discard(stored.blob_key))
        if (keys("media_assets.insert").has(id)) {
          return { asset_id: id, mime_type: stored.mime_type, filename, sha256: stored.sha256 }
        }
        yield* blobs.discard(stored.blob_key)
        return yield* new MediaStorageQuotaExceeded()
      })
    })
  })
)

/** The number of characters that are decoded at a time: whole groups of four. */
const decodedAtOnce = 4 * sliceBytes

/** Decodes base64 text in chunks. */
const decoded = (holder: string, text: string): Stream.Stream<Uint8Array> =>
  Stream.unfold(0, (from) => {
    if (from >= text.length) return Effect.succeed(undefined)
    const next = from + decodedAtOnce
    const piece = inTurns(
      holder,
      oneSlice(() => Buffer.from(text.slice(from, next), "base64"))
    )
    return Effect.map(piece, (bytes) => [bytes, next] as const)
  })
