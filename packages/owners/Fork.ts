import { Effect } from "effect"

/** Returns a function that runs effects in the background with the services of the present context. */
export const forkHere = Effect.map(Effect.context<never>(), (context) => (effect: Effect.Effect<unknown>) => {
  Effect.runForkWith(context)(effect)
})
