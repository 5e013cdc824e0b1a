import { Effect } from "effect"
import type { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"

type Locks = RunnerStorage.RunnerStorage["Service"]

/**
 * Finds and gives back locks of shards that this node's session holds and that the runtime library does not know of. The
 * library leaves a call for locks after two seconds, and the epochs behind them may take longer while the database is slow:
 * the locks are granted all the same. When such a shard then belongs to another node, that node waits for its lock for as
 * long as the session lasts, and the shard's owners answer nobody.
 */
export class SurplusLocks {
  /** The shards whose locks the session was granted. */
  private readonly granted = new Map<number, ShardId.ShardId>()
  /** Those of them that the library did not name when it last confirmed its locks. */
  private unnamed: ReadonlySet<number> = new Set()
  /** Calls for locks that are under way. */
  private asking = 0

  /** Returns the locks of the session, whose grants are noted from here on. */
  noting(inner: Locks): Locks {
    const forget = (shard: ShardId.ShardId) => Effect.sync(() => void this.granted.delete(shard.id))
    return {
      ...inner,
      acquire: (address, shards) =>
        Effect.tap(inner.acquire(address, shards), (granted) =>
          Effect.sync(() => {
            for (const shard of granted) this.granted.set(shard.id, shard)
          })
        ),
      release: (address, shard) => Effect.tap(inner.release(address, shard), () => forget(shard)),
      releaseAll: (address) => Effect.tap(inner.releaseAll(address), () => Effect.sync(() => this.granted.clear()))
    }
  }

  /** Returns the locks as the library asks for them: over the noted ones, with all that stands between. */
  watching(outer: Locks): Locks {
    return {
      ...outer,
      acquire: (address, shards) =>
        Effect.suspend(() => {
          this.asking++
          return Effect.ensuring(
            outer.acquire(address, shards),
            Effect.sync(() => {
              this.asking--
              this.unnamed = new Set()
            })
          )
        }),
      refresh: (address, shards) => {
        const named = Array.from(shards)
        return Effect.tap(outer.refresh(address, named), () => this.look(outer, address, named))
      }
    }
  }

  /**
   * Gives back what was not named twice in a row, with no call for locks between: the library names a lock from the moment on
   * in which it knows of it. Without any lock it only asks whether the storage answers.
   */
  private look(
    outer: Locks,
    address: RunnerAddress.RunnerAddress,
    named: ReadonlyArray<ShardId.ShardId>
  ): Effect.Effect<void> {
    if (this.asking > 0 || named.length === 0) return Effect.void
    const known = new Set(named.map(({ id }) => id))
    const surplus = [...this.granted.values()].filter(({ id }) => !known.has(id))
    const sure = surplus.filter(({ id }) => this.unnamed.has(id))
    this.unnamed = new Set(surplus.map(({ id }) => id))
    if (sure.length === 0) return Effect.void
    const giveBack = Effect.forEach(
      sure,
      (shard) => Effect.suspend(() => (this.asking > 0 ? Effect.void : outer.release(address, shard))),
      { discard: true }
    )
    // Beside the call that looks, whose time is short. What is not given back is found again.
    const told = Effect.logWarning("locks of shards are given back that this node was granted and does not use", {
      shards: sure.map(({ id }) => id)
    })
    return Effect.asVoid(Effect.forkDetach(Effect.andThen(told, Effect.ignore(giveBack))))
  }
}
