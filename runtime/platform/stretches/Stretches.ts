import { Effect } from "effect"

/** Long work in stretches: between two of them others may take a turn of the event loop. */
export type Stretches<A> = Generator<undefined, A, undefined>

/** Items that one stretch of work looks at. */
export const stretchLength = 256

/** Does all of it in one turn. */
export const atOnce = <A>(work: Stretches<A>): A => {
  while (true) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Does it stretch by stretch; whatever else the process has to do comes in between. */
export const inTurns = <A>(work: Stretches<A>): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    const go = () => {
      try {
        const step = work.next()
        if (step.done === true) resume(Effect.succeed(step.value))
        else setImmediate(go)
      } catch (defect) {
        resume(Effect.die(defect))
      }
    }
    go()
  })

/** Lets others take a turn. */
export const othersTurn: Effect.Effect<void> = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
