import { many } from "@carteiro/tables/Read.ts"
import { Context, Deferred, Effect, Layer } from "effect"
import { RunnerStorage, type ShardId } from "effect/cluster"
import { SqlClient } from "effect/sql"

/**
 * The epochs under which this node holds its shards. A grant of a shard's lock bumps the shard's epoch in the table;
 * commits name the epoch, so a node that lost a shard writes nothing for it. Architecture, section 2 rule 1
 */
export class ShardEpochs extends Context.Service<
  ShardEpochs,
  {
    /** The epoch of a shard this node was granted, if it still thinks it holds it. */
    readonly current: (shard: number) => number | undefined
    /** Shards held now. */
    readonly held: () => number
    /**
     * An epoch was fenced, or there was none: it counts no more, and the lock storage is asked whether the lock is still
     * ours; only then a new epoch is taken. All owners of the shard share one asking and one new epoch, for each further
     * one would fence those that have loaded under it. True when they may load again on this node.
     */
    readonly reconfirm: (shard: ShardId.ShardId, fenced: number | undefined) => Effect.Effect<boolean>
  }
>()("@carteiro/owners/cluster/ShardEpochs") {}

const bump = (sql: SqlClient.SqlClient, shards: ReadonlyArray<number>) =>
  many(
    sql<{ readonly shard: number; readonly epoch: number }>`
    insert into shard_epochs (shard, epoch) select s, 1 from unnest(${shards}::int4[]) as s order by s
    on conflict (shard) do update set epoch = shard_epochs.epoch + 1
    returning shard, epoch`,
    ({ epoch, shard }) => [shard, epoch] as const
  )

/**
 * Lock storage that bumps epochs right after a grant. The lock is confirmed once more after the bump: a node that
 * froze in between must not take part with an epoch its successor never saw.
 */
export const fencedRunnerStorage = (inner: RunnerStorage.RunnerStorage["Service"]) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const epochs = new Map<number, number>()
    const asking = new Map<number, Deferred.Deferred<boolean>>()
    let self: Parameters<typeof inner.acquire>[0] | undefined

    const take = Effect.fnUntraced(function* (shards: ReadonlyArray<ShardId.ShardId>) {
      if (self === undefined || shards.length === 0) return []
      const bumped = yield* bump(
        sql,
        shards.map((shard) => shard.id)
      )
      const confirmed = yield* inner.refresh(self, shards)
      const byShard = new Map(bumped)
      for (const shard of confirmed) {
        const epoch = byShard.get(shard.id)
        if (epoch !== undefined) epochs.set(shard.id, epoch)
      }
      return confirmed
    })

    const storage = RunnerStorage.RunnerStorage.of({
      ...inner,
      acquire: (address, shardIds) => {
        self = address
        return Effect.flatMap(inner.acquire(address, shardIds), take)
      },
      refresh: (address, shardIds) => {
        const asked = Array.from(shardIds)
        return Effect.tap(inner.refresh(address, asked), (held) =>
          Effect.sync(() => {
            const kept = new Set(held.map((shard) => shard.id))
            for (const shard of asked) if (!kept.has(shard.id)) epochs.delete(shard.id)
          })
        )
      },
      release: (address, shard) => {
        epochs.delete(shard.id)
        return inner.release(address, shard)
      },
      releaseAll: (address) => {
        epochs.clear()
        return inner.releaseAll(address)
      }
    })

    const renew = (shard: ShardId.ShardId) =>
      Effect.suspend(() =>
        self === undefined ? Effect.succeed<ReadonlyArray<ShardId.ShardId>>([]) : inner.refresh(self, [shard])
      ).pipe(
        Effect.flatMap((held) => take(held.filter(({ id }) => id === shard.id))),
        Effect.map((held) => held.length > 0),
        Effect.catchCause(() => Effect.succeed(false)),
        Effect.ensuring(Effect.sync(() => asking.delete(shard.id)))
      )

    const service = ShardEpochs.of({
      current: (shard) => epochs.get(shard),
      held: () => epochs.size,
      reconfirm: Effect.fnUntraced(function* (shard, fenced) {
        if (epochs.get(shard.id) === fenced) epochs.delete(shard.id)
        if (epochs.has(shard.id)) return true
        let asked = asking.get(shard.id)
        if (asked === undefined) {
          asked = Deferred.makeUnsafe<boolean>()
          asking.set(shard.id, asked)
          // Whoever asked first may stop waiting: the answer counts for all.
          yield* Effect.forkDetach(Deferred.into(renew(shard), asked))
        }
        return yield* Effect.timeoutOrElse(Deferred.await(asked), {
          duration: "3 seconds",
          orElse: () => Effect.succeed(false)
        })
      })
    })
    return { storage, service }
  })

/** Wraps a ready-made lock storage; provides it and the epochs it grants. */
export const layerFenced = Layer.effectContext(
  Effect.gen(function* () {
    const { storage, service } = yield* fencedRunnerStorage(yield* RunnerStorage.RunnerStorage)
    return Context.make(RunnerStorage.RunnerStorage, storage).pipe(Context.add(ShardEpochs, service))
  })
)
