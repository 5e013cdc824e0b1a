import { Effect, Layer } from "effect"
import { Commit } from "../../commit/Commit.ts"
import { Activations } from "../activation/Activations.ts"

/**
 * Wakes the owners of a type whose ids a write or a follower hands back, as soon as its commit is durable. Best effort: the
 * sweeper is the guarantee. Architecture, section 2 "Volatile messages, durable rows"
 */
export const wakeAfterCommit = (ownerType: string, write: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const commit = yield* Commit
      const activations = yield* Activations
      commit.after((outcome) => {
        const woken = outcome[write]
        if (Array.isArray(woken)) for (const id of woken) activations.wake(ownerType, id)
      })
    })
  )
