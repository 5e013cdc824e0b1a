import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Clock, Effect } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import { outcome, type RunJob } from "./JobOutcome.ts"

const minute = 60_000
/** Blobs younger than this may belong to a row that is not written yet, in milliseconds. */
const youngMs = 24 * 60 * minute
/** The number of blobs that one step of a sweep reads. */
const step = 500

/** Removes the bytes that an asset no longer has; retries until it succeeds. */
export const makeRunDiscard = Effect.gen(function* () {
  const store = yield* BlobStore
  const run: RunJob<"discard"> = Effect.fnUntraced(function* (job) {
    const { blob_key } = readJson(job.input)
    const gone = yield* Effect.result(store.remove(blob_key))
    const at = yield* Clock.currentTimeMillis
    if (gone._tag === "Success") return outcome([endJob(job, at)])
    const due_at = at + Math.min(60, 2 ** Math.min(job.attempts, 6)) * minute
    return outcome([postponeJob(job, due_at)], due_at)
  })
  return run
})

/** Removes blobs of an environment that no asset names: remains of a crash, or an upload that was never recorded. */
export const makeRunSweep = Effect.gen(function* () {
  const store = yield* BlobStore
  const assets = yield* AssetRepo
  const run: RunJob<"sweep"> = Effect.fnUntraced(function* (job) {
    const prefix = `${job.environment_id}/`
    const began = yield* Clock.currentTimeMillis
    let after = prefix
    while (true) {
      const found = yield* Effect.orElseSucceed(store.list(after, step), () => [])
      const own = found.filter(({ key }) => key.startsWith(prefix))
      const old = own.filter(({ stored_at }) => stored_at < began - youngMs).map(({ key }) => key)
      const named = new Set(old.length === 0 ? [] : yield* assets.named(old))
      for (const key of old) if (!named.has(key)) yield* Effect.ignore(store.remove(key))
      // A store may return fewer keys than requested although there are more.
      if (own.length === 0 || own.length < found.length) break
      after = own.at(-1)?.key ?? after
    }
    return outcome([endJob(job, yield* Clock.currentTimeMillis)])
  })
  return run
})
