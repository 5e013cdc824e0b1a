import { Commit, CommitFollowers } from "@carteiro/runtime/platform/commit/Commit.ts"
import type { Follower } from "@carteiro/runtime/platform/commit/Statement.ts"
import { Ids } from "@carteiro/runtime/platform/ids/Ids.ts"
import { Outbox } from "@carteiro/runtime/platform/outbox/Outbox.ts"
import { Activations } from "@carteiro/runtime/platform/owner/activation/Activations.ts"
import { layerMemory } from "@carteiro/runtime/platform/owner/cluster/Cluster.ts"
import { ShardEpochs } from "@carteiro/runtime/platform/owner/cluster/ShardEpochs.ts"
import { Cursors } from "@carteiro/runtime/platform/paging/Cursors.ts"
import { OutboundBudget } from "@carteiro/runtime/platform/queue/OutboundBudget.ts"
import { Rates } from "@carteiro/runtime/platform/ratelimit/Rates.ts"
import { type RateTable, standardRates } from "@carteiro/runtime/platform/ratelimit/RateTable.ts"
import type { MasterKeys } from "@carteiro/runtime/platform/secrets/MasterKeys.ts"
import { Secrets } from "@carteiro/runtime/platform/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "./TestDatabase.ts"
import { layerClock, UnderWay } from "./TurnedClock.ts"

export { beginning, leapTo, quiesce, turnBy, turnTo } from "./TurnedClock.ts"

const masterKeys: MasterKeys = [new Uint8Array(32).fill(7)]

/** What a test may put in the place of the usual ground. */
export interface GroundOptions {
  readonly clock?: typeof layerClock
  readonly rates?: RateTable
  /** The present master key, then older ones. */
  readonly masterKeys?: MasterKeys
  /** A database that other products of the same test share. */
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
 * Everything owners need, as in production but for three things: the cluster is one runner in memory, time stands
 * still until a test turns it, and the database is this test file's own clone.
 */
export const ground = (
  followers: Readonly<Record<string, ReadonlyArray<Follower>>> = {},
  options: GroundOptions = {}
) =>
  watching.pipe(
    Layer.provideMerge(layerMemory),
    Layer.provideMerge(Layer.mergeAll(Commit.layer, Outbox.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Activations.layer,
        OutboundBudget.layer(),
        UnderWay.layer,
        Ids.layer,
        Cursors.layer,
        Rates.layer(options.rates ?? standardRates),
        Layer.succeed(CommitFollowers, followers)
      )
    ),
    Layer.provideMerge(Secrets.layer(Redacted.make(options.masterKeys ?? masterKeys))),
    Layer.provideMerge(Layer.orDie(options.database ?? TestDatabase.layer)),
    Layer.provideMerge(options.clock ?? layerClock)
  )

/** Hosts the given owners on the ground. */
export const OwnerTest = <A, E, R>(
  owners: Layer.Layer<A, E, R>,
  followers: Readonly<Record<string, ReadonlyArray<Follower>>> = {},
  options: GroundOptions = {}
) => owners.pipe(Layer.provideMerge(ground(followers, options)))

/** Another node has taken the shard of an owner: what it decided on is written no more until the lease is asked for. */
export const fence = Effect.fnUntraced(function* (ownerId: string) {
  const { id } = (yield* Sharding.Sharding).getShardId(EntityId.make(ownerId), "default")
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`update shard_epochs set epoch = epoch + 1 where shard = ${id}`)
})

/** The shard of an owner is this node's again, before anybody has met its fence. */
export const reclaim = Effect.fnUntraced(function* (ownerId: string) {
  const shard = (yield* Sharding.Sharding).getShardId(EntityId.make(ownerId), "default")
  const epochs = yield* ShardEpochs
  yield* epochs.reconfirm(shard, epochs.current(shard.id))
})
