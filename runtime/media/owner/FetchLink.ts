import { Downloads } from "@carteiro/outbound/Downloads.ts"
import { Data, Effect, Stream } from "effect"
import type { StoredBytes } from "../asset/AssetState.ts"
import { mostInboundBytes } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"

/** A file from a link, in the store until somebody discards it. */
export interface FetchedFile {
  readonly bytes: StoredBytes
  readonly mime_type: string
}

/** A link could not be fetched; a passing failure may be tried again. M-DLV-08 */
class LinkNotFetched extends Data.TaggedError("LinkNotFetched")<{
  readonly code: "media_link_fetch_failed" | "media_too_large"
  readonly isPassing: boolean
}> {}

/** M-DLV-09, M-LIM-04 */
const limits = { totalMs: 30_000, redirects: 3 }

const broken = (isPassing: boolean) => new LinkNotFetched({ code: "media_link_fetch_failed", isPassing })
const tooLarge = new LinkNotFetched({ code: "media_too_large", isPassing: false })

/** Fetches links into the store, as much of each as any file may have. gaps-2 F "Link fetch safety" */
export const makeFetchLink = Effect.gen(function* () {
  const downloads = yield* Downloads
  const blobs = yield* Blobs
  return (of: { readonly environment_id: string; readonly id: string; readonly now: number }, url: string) =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* Effect.mapError(downloads.fetch({ url, ...limits }), ({ isPassing }) => broken(isPassing))
        if ((file.byte_length ?? 0) > mostInboundBytes) return yield* tooLarge
        const mime_type = file.content_type ?? "application/octet-stream"
        let came = 0
        const bounded = Stream.tap(file.bytes, (chunk) => {
          came += chunk.length
          return came > mostInboundBytes ? Effect.fail(tooLarge) : Effect.void
        })
        const bytes = yield* Effect.mapError(blobs.store({ ...of, mime_type }, bounded), (error) =>
          error._tag === "LinkNotFetched" ? error : broken(error._tag === "BlobStoreFailed" || error.isPassing)
        )
        if (bytes.byte_length > 0) return { bytes, mime_type } satisfies FetchedFile
        yield* blobs.discard(bytes.blob_key)
        return yield* broken(false)
      })
    )
})
