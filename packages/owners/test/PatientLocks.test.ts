import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { TestClock } from "effect/testing"
import { patientLocks } from "../cluster/PatientLocks.ts"

const here = RunnerAddress.make("localhost", 1)
const shards = [1, 2, 3].map((id) => ShardId.make("default", id))

/** Locks of which the last shard is somebody else's until it is let go. */
const locks = Effect.map(RunnerStorage.makeMemory, (memory) => {
  const other = { holds: true, asked: 0 }
  const storage = patientLocks(
    RunnerStorage.RunnerStorage.of({
      ...memory,
      acquire: (address, asked) => {
        other.asked++
        return memory.acquire(address, other.holds ? Array.from(asked).filter(({ id }) => id !== 3) : asked)
      }
    })
  )
  return { other, storage }
})

const idsOf = (granted: ReadonlyArray<ShardId.ShardId>) => granted.map(({ id }) => id)

describe("locks of a node that is leaving", () => {
  it.effect("takes a shard that is let go a moment later with the others", () =>
    Effect.gen(function* () {
      const { other, storage } = yield* locks
      const acquiring = yield* Effect.forkChild(storage.acquire(here, shards))
      yield* TestClock.adjust("100 millis")
      other.holds = false
      yield* TestClock.adjust("25 millis")
      assert.deepStrictEqual(idsOf(yield* Fiber.join(acquiring)), [1, 2, 3])
    })
  )

  it.effect("comes back with what it has when a shard is held for longer", () =>
    Effect.gen(function* () {
      const { storage } = yield* locks
      const acquiring = yield* Effect.forkChild(storage.acquire(here, shards))
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(idsOf(yield* Fiber.join(acquiring)), [1, 2])
    })
  )

  it.effect("asks once when no other node holds the shards", () =>
    Effect.gen(function* () {
      const { other, storage } = yield* locks
      other.holds = false
      assert.deepStrictEqual(idsOf(yield* storage.acquire(here, shards)), [1, 2, 3])
      assert.strictEqual(other.asked, 1)
    })
  )
})
