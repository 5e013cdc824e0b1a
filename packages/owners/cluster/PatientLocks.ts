import { Effect } from "effect"
import type { RunnerStorage, ShardId } from "effect/cluster"

/** How long and how often a node retries shards that another node still holds, in milliseconds. */
const patienceMs = 400
const askEveryMs = 25

/**
 * Returns a lock storage that waits a moment for the shards of a node that is leaving. The library pauses a second
 * after each acquisition, so a shard released just after a try would have no owner for that second. Shards held longer
 * wait for the library's next try.
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
