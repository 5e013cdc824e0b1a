import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { TestDatabase } from "../support/TestDatabase.ts"
import { commands } from "./OwnerCommands.ts"
import { makePlaying } from "./Playing.ts"
import { simulated } from "./World.ts"

it.live(
  "owners over PostgreSQL lose, repeat and forget nothing, whatever stops M-MSG-01 M-DLV-23 A-SIG-19 A-LSN-01 A-IDEM-04",
  () =>
    Effect.gen(function* () {
      const play = yield* makePlaying
      const go = Effect.runPromiseWith(yield* Effect.context<never>())
      const total = { accepted: 0, trips: 0, sessions: 0, shown: 0 }
      const schedule = fc.asyncProperty(
        commands,
        fc.scheduler().map((scheduler) => ({ scheduler, toString: () => "in an order of its own" })),
        fc.nat(1_000_000),
        fc.constantFrom("sandbox" as const, "production" as const),
        async (steps, { scheduler }, seed, kind) => {
          const tally = await go(play({ steps, scheduler, seed, kind }))
          for (const name of ["accepted", "trips", "sessions", "shown"] as const) total[name] += tally[name]
        }
      )
      yield* Effect.promise(() => fc.assert(schedule, simulated(8)))
      for (const [name, sum] of Object.entries(total)) assert.isAbove(sum, 0, `${name}: schedules that prove nothing`)
    }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped),
  simulated(8).numRuns * 30_000
)
