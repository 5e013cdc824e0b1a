import { Cause, Effect } from "effect"
import type { RunnerStorage } from "effect/cluster"

/** How often one acquisition is tried before its failure counts. */
const mostTries = 10

/**
 * Returns a lock storage that asks for shards again at once where the database failed. The runtime in memory has no
 * timer that would: beside a busy machine one silence of PostgreSQL left a test's node without shards for ever.
 */
export const takenAgain = (inner: RunnerStorage.RunnerStorage["Service"]): RunnerStorage.RunnerStorage["Service"] => ({
  ...inner,
  acquire: (address, shardIds) => {
    const asked = Array.from(shardIds)
    const tried = (tries: number): ReturnType<typeof inner.acquire> =>
      Effect.catchCause(inner.acquire(address, asked), (cause) =>
        tries >= mostTries || Cause.hasInterrupts(cause) ? Effect.failCause(cause) : tried(tries + 1)
      )
    return tried(1)
  }
})
