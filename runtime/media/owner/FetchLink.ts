import { Downloads } from "@carteiro/outbound/Downloads.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Data, Effect, Stream } from "effect"
import type { StoredBytes } from "../asset/AssetState.ts"
import { canonicalType, isOpenType, judgeFile, mostBytes } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"

/** A file fetched from a link; it stays in the store until it is discarded. */
export interface FetchedFile {
  readonly bytes: StoredBytes
  readonly mime_type: string
}

/** A link could not be fetched; a temporary failure may be retried. M-DLV-08 */
class LinkNotFetched extends Data.TaggedError("LinkNotFetched")<{
  readonly code: "media_link_fetch_failed" | "media_too_large" | "invalid_media_mime_type"
  readonly isPassing: boolean
}> {}

/** M-DLV-09, M-LIM-04 */
const limits = { totalMs: 30_000, redirects: 3 }

const broken = (isPassing: boolean) => new LinkNotFetched({ code: "media_link_fetch_failed", isPassing })

/**
 * Returns the failure of a file that is too large; a wrong type for its kind is reported first, as for a small file.
 */
const tooLarge = (kind: MediaKind, mime_type: string) =>
  new LinkNotFetched({
    code: (isOpenType(mime_type, kind) ? undefined : judgeFile(kind, mime_type)) ?? "media_too_large",
    isPassing: false
  })

/** A link, and the kind of its file, which limits how much is read. */
interface LinkToFetch {
  readonly environment_id: string
  readonly id: string
  readonly now: number
  readonly kind: MediaKind
  /** The name that the message gives the file; the link's own name when it gives none. */
  readonly filename: string | null
}

/**
 * Fetches links into the store; of each, at most as many bytes as a file of its kind may have. gaps-2 F "Link fetch
 * safety"
 */
export const makeFetchLink = Effect.gen(function* () {
  const downloads = yield* Downloads
  const blobs = yield* Blobs
  return (of: LinkToFetch, text: string) =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = downloads.tenantLink(text)
        if (url === undefined) return yield* broken(false)
        const file = yield* Effect.mapError(downloads.fetch({ url, ...limits }), ({ isPassing }) => broken(isPassing))
        const mime_type = canonicalType(file.content_type?.trim() || "application/octet-stream")
        const { kind } = of
        const filename = of.filename ?? nameIn(text)
        const most = mostBytes(kind)
        if ((file.byte_length ?? 0) > most) return yield* tooLarge(kind, mime_type)
        let came = 0
        const bounded = Stream.tap(file.bytes, (chunk) => {
          came += chunk.length
          return came > most ? Effect.fail(tooLarge(kind, mime_type)) : Effect.void
        })
        const bytes = yield* Effect.mapError(blobs.store({ ...of, filename, mime_type }, bounded), (error) =>
          error._tag === "LinkNotFetched" ? error : broken(error._tag === "BlobStoreFailed" || error.isPassing)
        )
        if (bytes.byte_length > 0) return { bytes, mime_type: bytes.mime_type } satisfies FetchedFile
        yield* blobs.discard(bytes.blob_key)
        return yield* broken(false)
      })
    )
})

/** Returns the last segment of a link's path, which often is the file's name. */
const nameIn = (link: string): string | null => new URL(link).pathname.split("/").at(-1) || null
