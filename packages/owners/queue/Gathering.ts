import { Context, Effect } from "effect"

/**
 * The pause between the end of one gathering pass and the start of the next, in milliseconds: short beside a call to a
 * provider. It is real time, as are the sockets it waits for; simulations, which have no real time, set 0.
 */
export const PassesApart = Context.Reference<number>("@carteiro/owners/queue/PassesApart", {
  defaultValue: () => 20
})

/** Keeps the passes of one owner apart. */
export type GatheredPasses = <A>(pass: Effect.Effect<A>) => Effect.Effect<A>

/**
 * Keeps passes of one owner about so many milliseconds apart. Requests and results that arrive meanwhile are read,
 * reserved and written together, so that a busy owner does not load the node with passes for two or three rows each.
 * The first pass after a pause starts at once. Waiting passes of all owners of the node start in one turn of the event
 * loop, so that their reads and commits travel together. Returns a function that makes the passes of each owner.
 */
export const gatheringPasses = (apartMs: number, after: After = afterMillis(apartMs)): (() => GatheredPasses) => {
  const turn = makeTurns(after)
  return () => {
    let ended = Number.NEGATIVE_INFINITY
    const end = Effect.sync(() => {
      ended = performance.now()
    })
    const wait = Effect.suspend(() => (performance.now() - ended < apartMs ? turn : Effect.void))
    return (pass) => Effect.andThen(wait, Effect.ensuring(pass, end))
  }
}

/** Calls back once, when waiting passes may start; returns a function that cancels this. */
type After = (wake: () => void) => () => void

const afterMillis =
  (millis: number): After =>
  (wake) => {
    const timer = setTimeout(wake, millis)
    return () => clearTimeout(timer)
  }

/** Completes for all waiting passes at once, `after` the first of them began to wait. */
const makeTurns = (after: After): Effect.Effect<void> => {
  let waiting = new Set<() => void>()
  let callOff: (() => void) | undefined
  const wakeAll = () => {
    const woken = waiting
    waiting = new Set()
    callOff = undefined
    for (const wake of woken) wake()
  }
  return Effect.callback<void>((resume) => {
    const wake = () => resume(Effect.void)
    waiting.add(wake)
    callOff ??= after(wakeAll)
    return Effect.sync(() => {
      waiting.delete(wake)
      if (waiting.size > 0) return
      callOff?.()
      callOff = undefined
    })
  })
}
