import { Effect } from "effect"
import type { RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"

type Locks = RunnerStorage.RunnerStorage["Service"]

/** The looks, two seconds apart, at which a lock was not named before it is given back. */
const looksWithOthers = 2
const looksWithoutAny = 5

/**
 * Finds and gives back locks of shards that this node's session holds and that the runtime library does not know of. The
 * library leaves a call for locks after two seconds, and the epochs behind them may take longer while the database is slow:
 * the locks are granted all the same. When such a shard then belongs to another node, that node waits for its lock for as
 * long as the session lasts, and the shard's owners answer nobody.
 */
export class SurplusLocks {
  /** The shards whose locks the session was granted. */
  private readonly granted = new Map<number, ShardId.ShardId>()
  /** How often in a row the library confirmed its locks and did not name this one of them. */
  private unnamed = new Map<number, number>()
  /** The shards of each call for locks that is under way. */
  private readonly calls = new Set<ReadonlySet<number>>()

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
          const asked = Array.from(shards)
          const call = new Set(asked.map(({ id }) => id))
          this.calls.add(call)
          return Effect.ensuring(
            outer.acquire(address, asked),
            Effect.sync(() => {
              this.calls.delete(call)
              for (const id of call) this.unnamed.delete(id)
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
   * Gives back what was not named twice in a row, with no call for it between: the library names a lock from the moment on in
   * which it knows of it. It also names none after a fault of the storage, until owners have ended and all locks are
   * released, which takes seconds.
   */
  private look(
    outer: Locks,
    address: RunnerAddress.RunnerAddress,
    named: ReadonlyArray<ShardId.ShardId>
  ): Effect.Effect<void> {
    const known = new Set(named.map(({ id }) => id))
    const surplus = [...this.granted.values()].filter(({ id }) => !known.has(id) && !this.isAsked(id))
    this.unnamed = new Map(surplus.map(({ id }) => [id, (this.unnamed.get(id) ?? 0) + 1]))
    const looks = named.length === 0 ? looksWithoutAny : looksWithOthers
    const sure = surplus.filter(({ id }) => (this.unnamed.get(id) ?? 0) >= looks)
    if (sure.length === 0) return Effect.void
    const giveBack = Effect.forEach(
      sure,
      (shard) => Effect.suspend(() => (this.isAsked(shard.id) ? Effect.void : outer.release(address, shard))),
      { discard: true }
    )
    // Beside the call that looks, whose time is short. What is not given back is found again.
    const told = Effect.logWarning("locks of shards are given back that this node was granted and does not use", {
      shards: sure.map(({ id }) => id)
    })
    return Effect.asVoid(Effect.forkDetach(Effect.andThen(told, Effect.ignore(giveBack))))
  }

  private isAsked(id: number): boolean {
    return [...this.calls].some((call) => call.has(id))
  }
}
