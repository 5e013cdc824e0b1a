import { Cursors } from "@carteiro/http-edge/Paging.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { Commit, CommitFollowers, type Follower } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { OutboundBudget } from "@carteiro/owners/Queue.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import { Rates } from "@carteiro/runtime/ratelimit/Rates.ts"
import { type RateTable, standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { EntityId, ShardId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { layerMemory } from "../../packages/owners/cluster/Cluster.ts"
import { ShardEpochs } from "../../packages/owners/cluster/ShardEpochs.ts"
import { memoryShards } from "../../packages/owners/cluster/Timings.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { layerClock, layerRunsAtEnd, UnderWay } from "./TurnedClock.ts"
import { until } from "./Until.ts"

export { beginning, leapTo, quiesce, turnBy, turnTo, whileTurning } from "./TurnedClock.ts"

const masterKeys: MasterKeys = [new Uint8Array(32).fill(7)]

/** The parts of the fixture that a test may replace. */
export interface OwnerTestOptions {
  readonly clock?: typeof layerClock
  readonly rates?: RateTable
  /** The present master key, then older ones. */
  readonly masterKeys?: MasterKeys
  /** A database that other products of the test share. */
  readonly database?: typeof TestDatabase.layer
}

const watching = Layer.effectDiscard(
  Effect.gen(function* () {
    const underWay = yield* UnderWay
    const commit = yield* Commit
    const activations = yield* Activations
    underWay.watch(() => commit.pending() > 0 || activations.passes() > 0)
  })
)

/**
 * The services that owners need, as in production with three differences: the cluster is one runner in memory, time
 * stands still until a test turns it, and the database is this test file's own clone.
 */
export const ownerServices = (
  followers: Readonly<Record<string, ReadonlyArray<Follower>>> = {},
  options: OwnerTestOptions = {}
) =>
  watching.pipe(
    Layer.provideMerge(layerMemory),
    Layer.provideMerge(Layer.mergeAll(commitLayer, Outbox.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Activations.layer,
        OutboundBudget.layer(),
        UnderWay.layer,
        Ids.layer,
        contractRefusals,
        Cursors.layer,
        Rates.layer(options.rates ?? standardRates),
        Layer.succeed(CommitFollowers, followers)
      )
    ),
    Layer.provideMerge(Secrets.layer(Redacted.make(options.masterKeys ?? masterKeys))),
    Layer.provideMerge(Layer.orDie(options.database ?? TestDatabase.layer)),
    Layer.provideMerge(options.clock ?? layerClock)
  )

const shardGroup = "default"

/**
 * Waits until this node holds every shard. A call that comes earlier is sent again after a tenth of a second of the
 * clock, which stands still: beside a busy machine the first test of a file waited for ever.
 */
export const layerHoldsShards = Layer.effectDiscard(
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const shards = Array.from({ length: memoryShards }, (_, n) => ShardId.make(shardGroup, n + 1))
    yield* until(Effect.sync(() => shards.every((shard) => sharding.hasShardId(shard))))
  })
)

/** Hosts the given owners on these services. */
export const OwnerTest = <A, E, R>(
  owners: Layer.Layer<A, E, R>,
  followers: Readonly<Record<string, ReadonlyArray<Follower>>> = {},
  options: OwnerTestOptions = {}
) =>
  Layer.merge(layerRunsAtEnd, layerHoldsShards).pipe(
    Layer.provideMerge(owners),
    Layer.provideMerge(ownerServices(followers, options))
  )

/**
 * Simulates another node that takes the shard of an owner: further decisions are not written until the lease is asked
 * for again.
 */
export const fence = Effect.fnUntraced(function* (ownerId: string) {
  const { id } = (yield* Sharding.Sharding).getShardId(EntityId.make(ownerId), shardGroup)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`update shard_epochs set epoch = epoch + 1 where shard = ${id}`)
})

/** Gives the shard of an owner back to this node, before any commit has met its fence. */
export const reclaim = Effect.fnUntraced(function* (ownerId: string) {
  const shard = (yield* Sharding.Sharding).getShardId(EntityId.make(ownerId), shardGroup)
  const epochs = yield* ShardEpochs
  yield* epochs.reconfirm(shard, epochs.current(shard.id))
})
