import { Clock, Effect, Layer } from "effect"
import { Activations } from "../activation/Activations.ts"
import { BoundedMap } from "../BoundedMap.ts"
import { Commit } from "../commit/Commit.ts"

/** Owners whose last wake-up is remembered; a forgotten owner is woken at once. */
const mostRemembered = 16_384

/**
 * Wakes the owners of a type whose ids a write or a follower returns, as soon as the commit is durable. An owner woken
 * less than `gatherMs` ago is woken once when they are over, for all commits meanwhile. A wake-up may get lost: the
 * sweeper guarantees that due work runs.
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
        // A wake-up is already planned.
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
