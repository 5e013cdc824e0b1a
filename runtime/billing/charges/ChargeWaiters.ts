import { Deferred, Effect } from "effect"

/** Requests that wait for the first answer about a charge; they survive a reload of the owner's memory. */
export class ChargeWaiters {
  private readonly waiting = new Map<string, Set<Deferred.Deferred<void>>>()

  /** Waits until the first answer about the charge is recorded. */
  wait(id: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const told = Deferred.makeUnsafe<void>()
      const others = this.waiting.get(id) ?? new Set()
      this.waiting.set(id, others.add(told))
      return Effect.ensuring(
        Deferred.await(told),
        Effect.sync(() => {
          others.delete(told)
          if (others.size === 0 && this.waiting.get(id) === others) this.waiting.delete(id)
        })
      )
    })
  }

  tell(id: string): void {
    for (const told of this.waiting.get(id) ?? []) Deferred.doneUnsafe(told, Effect.void)
  }
}
