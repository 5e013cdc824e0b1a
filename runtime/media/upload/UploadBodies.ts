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

/** How long a node's claim on an upload lasts unless the node renews it, in milliseconds. */
const leaseMs = 60_000

/**
 * Receives the bodies of uploads, at most one body of an upload at a time across all nodes: the asset's row records the
 * body under way. Decision 0039
 */
export const makeUploadBodies = Effect.gen(function* () {
  const repo = yield* AssetRepo
  const blobs = yield* Blobs
  const commit = yield* Commit

  /**
   * Returns false when the asset no longer takes bytes. If the commit's outcome is unknown, the sweep removes unused
   * bytes later.
   */
  const replaceBytes = (before: StoredAsset, bytes: StoredBytes, now: number): Effect.Effect<boolean, ApiError> =>
    Effect.flatMap(commit.write(repo.save(before, uploaded(before, bytes, now))), (keys) => {
      if (keys("media_assets.save").has(before.id)) return Effect.as(blobs.discard(before.blob_key), true)
      return Effect.flatMap(repo.find(before.environment_id, before.id), (found) =>
        found !== undefined && isAwaited(found, now) ? replaceBytes(found, bytes, now) : Effect.succeed(false)
      )
    })

  /** Claims the asset for one body; refuses a second concurrent body, and a body that the quota has no room for. */
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

  /** Frees the room of a body that did not arrive completely, so that another body may come. */
  const giveUp = ({ environment_id, id }: StoredAsset, now: number) =>
    Effect.gen(function* () {
      const found = yield* repo.find(environment_id, id)
      if (found === undefined || found.body_until === null) return
      yield* commit.write(repo.save(found, takingEnded(found, now)))
    }).pipe(Effect.ignore)

  /** Renews the claim from time to time, so that only a crashed node leaves an upload claimed. */
  const takingLonger = ({ environment_id, id }: StoredAsset) =>
    Effect.forever(
      Effect.andThen(
        Effect.sleep(leaseMs / 3),
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.ignore(commit.write([takeLonger(environment_id, id, now + leaseMs)]))
        )
      )
    )

  /** Stores the bytes of a body as the asset's bytes. gaps-2 F "Upload and complete" */
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
