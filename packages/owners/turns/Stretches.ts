import { Context, Effect } from "effect"
import { TurnQueue } from "./TurnQueue.ts"

/** Long work in stretches: between two of them others may take a turn of the event loop. */
export type Stretches<A> = Generator<undefined, A, undefined>

/** Items that one stretch of work looks at. */
export const stretchLength = 32

/** Bytes that one stretch of work parses, writes, hashes or decodes: well below a millisecond. */
export const stretchBytes = 65_536

/** Work of one stretch, which waits for its turn. */
export function* aStretch<A>(work: () => A): Stretches<A> {
  yield undefined
  return work()
}

/** Does all of it in one turn. */
export const atOnce = <A>(work: Stretches<A>): A => {
  while (true) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** The turns of this process: an event loop has one. */
export const Turns = Context.Reference<TurnQueue>("@carteiro/owners/turns/Turns", {
  defaultValue: () => new TurnQueue()
})

/**
 * Does work stretch by stretch. One stretch runs in a turn of the event loop, whatever else waits for one, and holders
 * (environments, or source addresses) take turns: a holder with much work delays the others by one stretch each time.
 * Work of a single stretch is done at once where nothing waits. Architecture, section 10
 */
export const inTurns = <A>(holder: string, work: Stretches<A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    const turns = fiber.getRef(Turns)
    return Effect.callback<A>((resume) => {
      const step = () => {
        try {
          const { done, value } = work.next()
          if (done !== true) return false
          resume(Effect.succeed(value))
        } catch (defect) {
          resume(Effect.die(defect))
        }
        return true
      }
      if (turns.isIdle && step()) return
      return Effect.sync(turns.add(holder, step))
    })
  })
