import { degraded, HealthChecks, passed } from "@carteiro/owners/HealthChecks.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { type BlobStorage, BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { Effect, Layer } from "effect"

/** Sorts behind every key, so that listing from there finds nothing. */
const behindAllKeys = "~"

const operations = ["put", "open", "remove", "list"] as const

/**
 * Logs and counts each failure of the node's blob store, and registers the check `files`: degraded from a failure until
 * the store answers again. A node without its store still answers everything but files, so that it stays ready.
 */
export const watchedStore: Layer.Layer<BlobStore, never, BlobStore | HealthChecks> = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const store = yield* BlobStore
    const health = yield* HealthChecks
    const { counter } = yield* Instruments
    const failures = counter({
      name: "blob_store_failures_total",
      help: "Operations that the store of media files did not do.",
      labels: ["operation"]
    })
    // Alarms compare with a value that is there from the start.
    for (const operation of operations) failures(operation)(0)
    let lastFailure: string | undefined
    const watched = <A, E, R>(operation: (typeof operations)[number], work: Effect.Effect<A, E, R>) =>
      Effect.tap(
        Effect.tapError(work, (error) => {
          if (!(error instanceof BlobStoreFailed)) return Effect.void
          lastFailure = error.reason
          failures(operation)(1)
          return Effect.logError("the blob store failed", { operation, reason: error.reason })
        }),
        () =>
          Effect.sync(() => {
            lastFailure = undefined
          })
      )
    const storage: BlobStorage = {
      put: (key, bytes) => watched("put", store.put(key, bytes)),
      open: (key, range) => watched("open", store.open(key, range)),
      remove: (key) => watched("remove", store.remove(key)),
      list: (after, limit) => watched("list", store.list(after, limit))
    }
    const probe = Effect.ignore(storage.list(behindAllKeys, 1))
    const look = Effect.suspend(() => (lastFailure === undefined ? Effect.void : probe))
    yield* health.add(
      "files",
      Effect.map(look, () =>
        lastFailure === undefined
          ? passed("The file store answers.")
          : degraded(`The file store failed: ${lastFailure}. Media wait until it answers; all else goes on.`)
      )
    )
    // A wrong address or credential is told at the start, not by the first file.
    yield* Effect.forkScoped(probe)
    return storage
  })
)
