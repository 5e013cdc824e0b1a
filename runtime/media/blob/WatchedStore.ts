import { degraded, HealthChecks, passed } from "@carteiro/owners/HealthChecks.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { type BlobStorage, BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { Effect, Layer } from "effect"

/** A text that sorts after every key, so that a listing from there is empty. */
const behindAllKeys = "~"

const operations = ["put", "open", "remove", "list"] as const

/**
 * Logs and counts each failure of the node's blob store, and registers the check `files`: degraded from a failure until
 * the store works again. A node without its store stays ready, because it still answers all requests except those for
 * files.
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
    // The counters exist from the start, because alarms compare against a first value.
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
    // A probe at the start reports a wrong address or credential before the first file.
    yield* Effect.forkScoped(probe)
    return storage
  })
)
