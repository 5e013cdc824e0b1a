import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { fencedRunnerStorage } from "../../packages/owners/cluster/ShardEpochs.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const here = RunnerAddress.make("localhost", 1)
const shards = [1, 2, 3].map((id) => ShardId.make("default", id))
const [first, second] = shards as [ShardId.ShardId, ShardId.ShardId]

/** A node that was granted three shards, over locks that end when the test says so. */
const node = Effect.gen(function* () {
  const held = { all: true }
  const locks = yield* RunnerStorage.makeMemory
  const inner = RunnerStorage.RunnerStorage.of({
    ...locks,
    refresh: (address, asked) => (held.all ? locks.refresh(address, asked) : Effect.succeed([]))
  })
  const { service, storage } = yield* fencedRunnerStorage(inner)
  yield* storage.acquire(here, shards)
  return { epochs: service, held }
})

const stored = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly epoch: number }>`select epoch from shard_epochs order by shard`, (rows) =>
    rows.map(({ epoch }) => epoch)
  )
)

it.layer(TestDatabase.layer, { excludeTestServices: true })("the epochs of a node", (it) => {
  it.effect("of many owners a fence met together, all share one new epoch, and no other shard has one", () =>
    Effect.gen(function* () {
      const { epochs } = yield* node
      const before = yield* stored
      const fenced = epochs.current(first.id)
      const held = yield* Effect.replicateEffect(epochs.reconfirm(first, fenced), 20, { concurrency: "unbounded" })
      assert.isTrue(held.every((one) => one))
      // Those that hear of the same fence later load under the epoch there is.
      assert.isTrue(yield* epochs.reconfirm(first, fenced))
      const [one = 0, ...others] = before
      assert.deepStrictEqual(yield* stored, [one + 1, ...others])
      assert.strictEqual(epochs.current(first.id), one + 1)
      assert.strictEqual(epochs.current(second.id), others[0])
    })
  )

  it.effect("an epoch that was fenced counts no more, whether the shard comes back or not", () =>
    Effect.gen(function* () {
      const { epochs, held } = yield* node
      held.all = false
      assert.isFalse(yield* epochs.reconfirm(first, epochs.current(first.id)))
      assert.isUndefined(epochs.current(first.id))
      held.all = true
      assert.isTrue(yield* epochs.reconfirm(first, undefined))
      assert.strictEqual(epochs.current(first.id), (yield* stored)[0])
    })
  )
})
