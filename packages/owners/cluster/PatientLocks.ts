import { Effect } from "effect"
import type { RunnerStorage, ShardId } from "effect/cluster"

/** How long a node asks again for shards that somebody still holds, and how often, in milliseconds. */
const patienceMs = 400
const askEveryMs = 25

/**
 * Lock storage that waits a moment for the shards of a node that is leaving. The library rests a second after each
 * acquisition, so a shard released just after it was tried would stay without an owner for that second. What is held
 * longer is left to the library's next try. Architecture, section 8
 */
export const patientLocks = (
  inner: RunnerStorage.RunnerStorage["Service"]
): RunnerStorage.RunnerStorage["Service"] => ({
  ...inner,
  acquire: Effect.fnUntraced(function* (address, shardIds) {
    let missing = Array.from(shardIds)
    const acquired: Array<ShardId.ShardId> = []
    for (let waited = 0; ; waited += askEveryMs) {
      const granted = yield* inner.acquire(address, missing)
      acquired.push(...granted)
      const ids = new Set(granted.map(({ id }) => id))
      missing = missing.filter(({ id }) => !ids.has(id))
      if (missing.length === 0 || waited >= patienceMs) return acquired
      yield* Effect.sleep(askEveryMs)
    }
  })
})
