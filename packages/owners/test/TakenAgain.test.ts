import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { takenAgain } from "../cluster/TakenAgain.ts"

const here = RunnerAddress.make("localhost", 1)
const shards = [1, 2, 3].map((id) => ShardId.make("default", id))

/** Locks of a database that fails the first tries, as one that is silent does. */
const failing = (times: number) =>
  Effect.map(RunnerStorage.makeMemory, (memory) => {
    const tries = { count: 0 }
    const storage = takenAgain(
      RunnerStorage.RunnerStorage.of({
        ...memory,
        acquire: (address, asked) =>
          Effect.suspend(() =>
            ++tries.count <= times ? Effect.die(new Error("no answer")) : memory.acquire(address, asked)
          )
      })
    )
    return { storage, tries }
  })

describe("locks of a node in memory", () => {
  it.effect("are asked for again where the database failed, without a turn of the clock", () =>
    Effect.gen(function* () {
      const { storage, tries } = yield* failing(2)
      const granted = yield* storage.acquire(here, new Set(shards))
      assert.deepStrictEqual(
        granted.map(({ id }) => id),
        [1, 2, 3]
      )
      assert.strictEqual(tries.count, 3)
    })
  )

  it.effect("fail with a database that stays away", () =>
    Effect.gen(function* () {
      const { storage, tries } = yield* failing(100)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(storage.acquire(here, shards))))
      assert.strictEqual(tries.count, 10)
    })
  )
})
