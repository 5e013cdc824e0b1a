import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedMedia } from "@carteiro/provider/MediaProvider.ts"
import { Clock, Data, Effect, Stream } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { type StoredAsset, standardLimit } from "../asset/AssetState.ts"
import { mostInboundBytes } from "../asset/MediaTypes.ts"
import { sandboxFiles } from "../asset/SandboxFiles.ts"
import { Blobs } from "../blob/Blobs.ts"
import type { CaptureMedia } from "../job/CaptureMedia.ts"
import type { MediaJob } from "../job/MediaJob.ts"

/** A file could not be fetched in this attempt; a terminal failure is not retried. */
class NotCaptured extends Data.TaggedError("NotCaptured")<{
  readonly isTerminal: boolean
  /** True when the provider says for certain that it has no such file. U-MED-02 */
  readonly isGone?: boolean
}> {}

/** The code of a file for which the environment has no room. M-MED-33 */
export const full = "media_storage_quota_exceeded"

/** Fetches the bytes of inbound files into the store, and tells whether the environment has room for them. */
export const makeFetchInbound = Effect.gen(function* () {
  const assets = yield* AssetRepo
  const blobs = yield* Blobs
  const connected = yield* ConnectedMedia

  /** Stores the provider's file, or the simulated one. */
  const fetchFile = Effect.fnUntraced(function* (
    job: MediaJob,
    { business_id, channel, from }: CaptureMedia,
    asset: StoredAsset
  ) {
    const { environment_id } = job
    const now = yield* Clock.currentTimeMillis
    const store = (bytes: Stream.Stream<Uint8Array, unknown>, mime_type: string) =>
      Effect.map(
        Effect.mapError(blobs.store({ environment_id, id: asset.id, mime_type, now }, bounded(bytes)), (error) =>
          error instanceof NotCaptured ? error : passing()
        ),
        (stored) => ({ stored, mime_type })
      )
    switch (from._tag) {
      case "BuiltIn":
        return yield* store(Stream.make(sandboxFiles[asset.kind].bytes()), asset.mime_type)
      case "Asset": {
        const given = yield* assets.find(environment_id, from.asset_id)
        if (given?.blob_key == null) return yield* new NotCaptured({ isTerminal: true })
        return yield* store(blobs.read(given.blob_key), asset.mime_type)
      }
      case "Provider": {
        const provider = yield* connected({ environment_id, channel, business_id })
        if (provider === undefined) return yield* passing()
        const found = yield* provider.find(from.provider_media_id)
        if (found._tag !== "Done") return yield* isGone(found) ? gone() : passing()
        const { byte_length, mime_type, open, sha256 } = found.value
        if (byte_length > mostInboundBytes) return yield* new NotCaptured({ isTerminal: true })
        if (!(yield* hasRoom(job, byte_length))) return full
        const opened = yield* open
        if (opened._tag !== "Done") return yield* passing()
        const fetched = yield* store(opened.value, mime_type)
        if (sha256 === null || sha256 === fetched.stored.sha256) return fetched
        yield* blobs.discard(fetched.stored.blob_key)
        return yield* passing()
      }
    }
  }, Effect.scoped)

  const hasRoom = (job: MediaJob, bytes: number) =>
    Effect.map(
      assets.usage(job.environment_id),
      ({ limit_bytes, used_bytes }) => used_bytes + bytes <= (limit_bytes ?? standardLimit[job.environment])
    )
  return { fetchFile, hasRoom }
})

/** True for an answer that the file does not exist, which the platform also gives as error 100 with subcode 33. */
const isGone = (answer: ChatCall<unknown>): boolean =>
  answer._tag === "Refused" &&
  (answer.error?.http_status === 404 || (answer.error?.code === 100 && answer.error.subcode === 33))

const gone = () => new NotCaptured({ isTerminal: false, isGone: true })

const passing = () => new NotCaptured({ isTerminal: false })

/** Fails on a file that is larger than the limit of inbound files. gaps-2 F "MIME types and sizes" */
const bounded = (bytes: Stream.Stream<Uint8Array, unknown>): Stream.Stream<Uint8Array, unknown> => {
  let came = 0
  return Stream.tap(bytes, (chunk) => {
    came += chunk.length
    return came > mostInboundBytes ? Effect.fail(new NotCaptured({ isTerminal: true })) : Effect.void
  })
}
