import { Effect } from "effect"

/** Looks until there is an answer other than undefined, every 50 ms for at most `seconds`; undefined when none came. */
export const eventually = <A>(look: () => A | undefined, seconds: number): Effect.Effect<A | undefined> =>
  Effect.gen(function* () {
    for (let check = 0; check < seconds * 20; check++) {
      const found = look()
      if (found !== undefined) return found
      yield* Effect.sleep("50 millis")
    }
    return undefined
  })
