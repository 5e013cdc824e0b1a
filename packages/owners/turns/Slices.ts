import { Context, Effect } from "effect"
import { TurnQueue } from "./TurnQueue.ts"

/** Long work in parts: between two parts other work may take a turn of the event loop. */
export type Slices<A> = Generator<undefined, A, undefined>

/** Items that one part of the work processes. */
export const sliceLength = 32

/** Bytes that one part of the work parses, writes, hashes or decodes: well below a millisecond. */
export const sliceBytes = 65_536

/** Makes work of a single part, which waits for its turn. */
export function* oneSlice<A>(work: () => A): Slices<A> {
  yield undefined
  return work()
}

/** Runs all parts in one turn. */
export const atOnce = <A>(work: Slices<A>): A => {
  while (true) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Holds the turns of this process, which has one event loop. */
export const Turns = Context.Reference<TurnQueue>("@carteiro/owners/turns/Turns", {
  defaultValue: () => new TurnQueue()
})

/**
 * Runs work part by part. The first part runs at once, as the work of any small request does; most work has no other. For
 * the next ones each turn of the event loop runs one part, and holders (environments or source addresses) take turns: a
 * holder with much work delays the others by one part each time.
 */
export const inTurns = <A>(holder: string, work: Slices<A>): Effect.Effect<A> =>
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
      if (step()) return
      return Effect.sync(turns.add(holder, step))
    })
  })
