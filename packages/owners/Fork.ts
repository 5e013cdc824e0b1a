import { Effect } from "effect"

/** Runs effects beside the caller, with the services of here. */
export const forkHere = Effect.map(Effect.context<never>(), (context) => (effect: Effect.Effect<unknown>) => {
  Effect.runForkWith(context)(effect)
})
