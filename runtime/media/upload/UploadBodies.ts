import { Commit } from "@carteiro/owners/Commit.ts"
import { BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  MediaBlobNotFound,
  MediaStorageQuotaExceeded,
  MediaUploadInProgress
} from "@carteiro/schema/media/MediaErrors.ts"
import { Clock, Effect, type Stream } from "effect"
import { takeLonger } from "../asset/AssetHolds.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import {
  isAwaited,
  type StoredAsset,
  type StoredBytes,
  takesBody,
  taking,
  takingEnded,
  uploaded
} from "../asset/AssetState.ts"
import { Blobs } from "../blob/Blobs.ts"
import { storeFailed } from "../blob/StoreFailed.ts"

/** How long a node may take a body without saying so again, in milliseconds. */
const leaseMs = 60_000

/**
 * Takes the bodies of uploads, one of an upload at a time on all nodes: the asset's row says that a body is under way.
 * Decision 0039
 */
export const makeUploadBodies = Effect.gen(function* () {
  const repo = yield* AssetRepo
  const blobs = yield* Blobs
  const commit = yield* Commit

  /** False when the asset takes no bytes any more. When it is not known what was written, the sweep finds out. */
  const replaceBytes = (before: StoredAsset, bytes: StoredBytes, now: number): Effect.Effect<boolean, ApiError> =>
    Effect.flatMap(commit.write(repo.save(before, uploaded(before, bytes, now))), (keys) => {
      if (keys("media_assets.save").has(before.id)) return Effect.as(blobs.discard(before.blob_key), true)
      return Effect.flatMap(repo.find(before.environment_id, before.id), (found) =>
        found !== undefined && isAwaited(found, now) ? replaceBytes(found, bytes, now) : Effect.succeed(false)
      )
    })

  /** Takes the asset for one body: a second one at a time is refused, and so is one that the quota has no room for. */
  const claim = (before: StoredAsset, now: number): Effect.Effect<StoredAsset, ApiError> =>
    Effect.gen(function* () {
      if (takesBody(before, now)) return yield* new MediaUploadInProgress()
      const after = taking(before, now, now + leaseMs)
      const keys = yield* commit.write(repo.save(before, after))
      if (keys("media_assets.save").has(before.id)) return after
      const found = yield* repo.find(before.environment_id, before.id)
      if (found === undefined || !isAwaited(found, now)) return yield* new MediaBlobNotFound()
      return found.revision === before.revision ? yield* new MediaStorageQuotaExceeded() : yield* claim(found, now)
    })

  /** The body did not come whole: what it counted is free, and another one may come. */
  const giveUp = ({ environment_id, id }: StoredAsset, now: number) =>
    Effect.gen(function* () {
      const found = yield* repo.find(environment_id, id)
      if (found === undefined || found.body_until === null) return
      yield* commit.write(repo.save(found, takingEnded(found, now)))
    }).pipe(Effect.ignore)

  /** Says now and then that the body is still coming, so that only a node that died leaves the upload taken. */
  const takingLonger = ({ environment_id, id }: StoredAsset) =>
    Effect.forever(
      Effect.andThen(
        Effect.sleep(leaseMs / 3),
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.ignore(commit.write([takeLonger(environment_id, id, now + leaseMs)]))
        )
      )
    )

  /** Keeps the bytes of a body as those of its asset. gaps-2 F "Upload and complete" */
  const take = Effect.fnUntraced(function* (
    asset: StoredAsset,
    bytes: Stream.Stream<Uint8Array, ApiError>,
    now: number
  ) {
    const taken = yield* claim(asset, now)
    const storing = Effect.catchIf(blobs.store({ ...taken, now }, bytes), isStoreFailure, storeFailed)
    const stored = yield* Effect.onError(Effect.raceFirst(storing, takingLonger(taken)), () => giveUp(taken, now))
    if (yield* replaceBytes(taken, stored, now)) return
    yield* blobs.discard(stored.blob_key)
    return yield* new MediaBlobNotFound()
  })

  return { take }
})

const isStoreFailure = (error: ApiError | BlobStoreFailed): error is BlobStoreFailed => error instanceof BlobStoreFailed
