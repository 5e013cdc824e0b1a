import { Clock, Effect, Layer } from "effect"
import { Activations } from "../activation/Activations.ts"
import { BoundedMap } from "../BoundedMap.ts"
import { Commit } from "../commit/Commit.ts"

/** Owners whose last wake-up is remembered; one that is forgotten is woken at once. */
const mostRemembered = 16_384

/**
 * Wakes the owners of a type whose ids a write or a follower hands back, as soon as its commit is durable. One that was woken
 * less than `gatherMs` ago is woken when they are over, once for all that came meanwhile. Best effort: the sweeper is the
 * guarantee. Architecture, section 2 "Volatile messages, durable rows"
 */
export const wakeAfterCommit = (ownerType: string, write: string, gatherMs = 0) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const commit = yield* Commit
      const activations = yield* Activations
      const clock = yield* Clock.Clock
      const wakings = new BoundedMap<string, number>(mostRemembered)
      const gather = (id: string): void => {
        const now = clock.currentTimeMillisUnsafe()
        const last = wakings.get(id)
        // It is about to be woken.
        if (last !== undefined && last > now) return
        const at = last === undefined ? now : Math.max(now, last + gatherMs)
        wakings.set(id, at)
        activations.wake(ownerType, id, at)
      }
      const wake = gatherMs === 0 ? (id: string) => activations.wake(ownerType, id) : gather
      commit.after((outcome) => {
        const woken = outcome[write]
        if (Array.isArray(woken)) for (const id of woken) wake(id)
      })
    })
  )
