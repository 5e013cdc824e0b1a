import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { SurplusLocks } from "../cluster/SurplusLocks.ts"

const [here, there] = [RunnerAddress.make("here", 1), RunnerAddress.make("there", 1)]
const [first, second, third, fourth] = [1, 2, 3, 4].map((id) => ShardId.make("default", id)) as [
  ShardId.ShardId,
  ShardId.ShardId,
  ShardId.ShardId,
  ShardId.ShardId
]

/** A node's locks of a database, whose epochs are raised while `epochs` runs. */
const node = Effect.fnUntraced(function* (epochs: { raise: Effect.Effect<void> }) {
  const holders = new Map<number, string>()
  const locks = RunnerStorage.RunnerStorage.of({
    ...(yield* RunnerStorage.makeMemory),
    acquire: (address, asked) =>
      Effect.sync(() =>
        Array.from(asked).filter(({ id }) => {
          if (!holders.has(id)) holders.set(id, address.host)
          return holders.get(id) === address.host
        })
      ),
    refresh: (address, asked) =>
      Effect.sync(() => Array.from(asked).filter(({ id }) => holders.get(id) === address.host)),
    release: (_address, shard) => Effect.sync(() => void holders.delete(shard.id))
  })
  const surplus = new SurplusLocks()
  const noted = surplus.noting(locks)
  const watched = surplus.watching({
    ...noted,
    acquire: (address, asked) => Effect.tap(noted.acquire(address, asked), () => epochs.raise)
  })
  const heldBy = ({ host }: RunnerAddress.RunnerAddress) =>
    [...holders].filter(([, holder]) => holder === host).map(([id]) => id)
  return { heldBy, ofOthers: locks, watched }
})

/** Lets what was forked run to its end. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("the locks of shards", () => {
  it.effect("that a node was granted after it had left the call are free for the node whose shards they are", () =>
    Effect.gen(function* () {
      const epochs = { raise: Effect.void as Effect.Effect<void> }
      const { heldBy, ofOthers, watched } = yield* node(epochs)
      yield* watched.acquire(here, [first])
      epochs.raise = Effect.never
      const left = yield* Effect.forkChild(watched.acquire(here, [second, third]), { startImmediately: true })
      yield* Fiber.interrupt(left)
      assert.deepStrictEqual(heldBy(here), [1, 2, 3])

      epochs.raise = Effect.void
      yield* ofOthers.acquire(there, [fourth])
      for (let looks = 0; looks < 2; looks++) {
        // It waits for a shard that another node still holds, all the while.
        assert.deepStrictEqual(yield* watched.acquire(here, [fourth]), [])
        assert.deepStrictEqual(yield* ofOthers.acquire(there, [second, third]), [])
        assert.deepStrictEqual(yield* watched.refresh(here, [first]), [first])
        yield* settle
      }
      assert.deepStrictEqual(heldBy(here), [1])
      assert.deepStrictEqual(yield* ofOthers.acquire(there, [second, third]), [second, third])
    })
  )

  it.effect("are not given back while a call for them runs, nor right after it, nor while the library names them", () =>
    Effect.gen(function* () {
      const epochs = { raise: Effect.void as Effect.Effect<void> }
      const { heldBy, watched } = yield* node(epochs)
      yield* watched.acquire(here, [first])
      epochs.raise = Effect.never
      const running = yield* Effect.forkChild(watched.acquire(here, [second]), { startImmediately: true })
      for (let looks = 0; looks < 3; looks++) yield* Effect.andThen(watched.refresh(here, [first]), settle)
      assert.deepStrictEqual(heldBy(here), [1, 2])
      yield* Fiber.interrupt(running)
      epochs.raise = Effect.void

      // A confirmation that began before the library took the grant in does not name it.
      yield* Effect.andThen(watched.refresh(here, [first]), settle)
      assert.deepStrictEqual(yield* watched.acquire(here, [second]), [second])
      yield* Effect.andThen(watched.refresh(here, [first]), settle)
      for (let looks = 0; looks < 3; looks++) yield* Effect.andThen(watched.refresh(here, [first, second]), settle)
      assert.deepStrictEqual(heldBy(here), [1, 2])

      // After a fault of its storage the library names none, and gives all back itself once their owners have ended.
      for (let looks = 0; looks < 4; looks++) yield* Effect.andThen(watched.refresh(here, []), settle)
      assert.deepStrictEqual(heldBy(here), [1, 2])
      yield* Effect.andThen(watched.refresh(here, []), settle)
      assert.deepStrictEqual(heldBy(here), [])
    })
  )
})
