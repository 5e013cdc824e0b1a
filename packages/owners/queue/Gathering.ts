import { Context, Effect } from "effect"

/**
 * Milliseconds from the end of one pass that gathers to the start of the next: next to nothing beside a call to a provider.
 * Real time, as with the sockets it waits for; simulated worlds, which know no real time, set 0.
 */
export const PassesApart = Context.Reference<number>("@carteiro/owners/queue/PassesApart", {
  defaultValue: () => 20
})

/**
 * Keeps passes of one owner so many milliseconds apart: what is asked for and answered meanwhile is read, reserved and
 * written together, and a busy owner does not take up the node with passes for two or three rows each. The first pass
 * after a pause starts at once.
 */
export const gatheringPasses = (apartMs: number): (<A>(pass: Effect.Effect<A>) => Effect.Effect<A>) => {
  let ended = Number.NEGATIVE_INFINITY
  const end = Effect.sync(() => {
    ended = performance.now()
  })
  return (pass) =>
    Effect.andThen(
      Effect.suspend(() => paused(ended + apartMs - performance.now())),
      Effect.ensuring(pass, end)
    )
}

const paused = (millis: number): Effect.Effect<void> =>
  millis <= 0
    ? Effect.void
    : Effect.callback<void>((resume) => {
        const timer = setTimeout(() => resume(Effect.void), millis)
        return Effect.sync(() => clearTimeout(timer))
      })
