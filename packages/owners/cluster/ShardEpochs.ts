import { many } from "@carteiro/tables/Read.ts"
import { Context, Deferred, Effect, Layer } from "effect"
import { RunnerStorage, type ShardId } from "effect/cluster"
import { SqlClient } from "effect/sql"

/**
 * Holds the epochs under which this node holds its shards. Each grant of a shard's lock raises the shard's epoch in the
 * table. Commits name the epoch, so a node that lost a shard writes nothing for it.
 */
export class ShardEpochs extends Context.Service<
  ShardEpochs,
  {
    /** Returns the epoch of a shard that was granted to this node, unless the node knows that it lost it. */
    readonly current: (shard: number) => number | undefined
    /** Returns the number of shards held now. */
    readonly held: () => number
    /**
     * Handles a fenced or missing epoch: drops it, asks the lock storage whether this node still holds the lock, and
     * only then takes a new epoch. All owners of the shard share one query and one new epoch, because each further
     * epoch would fence the owners that loaded under the previous one. True when they may load again on this node.
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
 * Returns a lock storage that raises epochs right after a grant. It confirms the lock once more after that: a node that
 * froze in between must not take part with an epoch that its successor never saw.
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
          // The first caller may be interrupted: the result counts for all.
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

/** Wraps a given lock storage; provides it and the epochs it grants. */
export const layerFenced = Layer.effectContext(
  Effect.gen(function* () {
    const { storage, service } = yield* fencedRunnerStorage(yield* RunnerStorage.RunnerStorage)
    return Context.make(RunnerStorage.RunnerStorage, storage).pipe(Context.add(ShardEpochs, service))
  })
)
