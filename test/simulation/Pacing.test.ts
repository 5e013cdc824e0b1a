import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { TestDatabase } from "../support/TestDatabase.ts"
import { keepHistory } from "./History.ts"
import { PacingBook, type PacingTally, pacedChanges, pacedTables } from "./PacingBook.ts"
import { type PacingAction, playPacing, recipients } from "./PacingRun.ts"
import { makeWorlds } from "./Playing.ts"
import { day, hour, minute, second, simulated } from "./World.ts"

const nth = fc.nat(recipients - 1)
const after = fc.integer({ min: 0, max: 40 })
const kind = <K extends string>(name: K) => fc.constant(name)

const action: fc.Arbitrary<PacingAction> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind("send"),
      to: fc.oneof({ weight: 3, arbitrary: fc.constant("new" as const) }, { weight: 1, arbitrary: nth }),
      count: fc.integer({ min: 4, max: 18 }),
      waits: fc.boolean()
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: kind("hear"), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("cancel"), nth: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("terms"),
      terms: fc.record({
        tier: fc.constantFrom("tier_50" as const, "tier_50" as const, "tier_50" as const, "tier_250" as const),
        quality: fc.constantFrom(
          "red" as const,
          "red" as const,
          "yellow" as const,
          "green" as const,
          "unknown" as const
        )
      })
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("provider"), mode: fc.constantFrom("accepts" as const, "rejects" as const) })
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("fence") }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("takeOver"), after }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("stop"), after }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("wake") }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind("pass"),
      millis: fc.constantFrom(5 * second, 10 * second, minute, 3 * hour, 13 * hour, day, 4 * day)
    })
  }
)

it.live(
  "a number keeps its allowance over virtual weeks, whichever node owns it, and all its held messages leave in order M-MSG-07..09 M-PHN-17 (gaps-2 D)",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keepHistory(sql, pacedTables, pacedChanges)
      const world = yield* makeWorlds
      const go = Effect.runPromiseWith(yield* Effect.context<never>())
      const total: PacingTally = { accepted: 0, held: 0, released: 0, filled: 0 }
      const schedule = fc.asyncProperty(
        fc.array(action, { minLength: 10, maxLength: 30, size: "max" }),
        fc.scheduler().map((scheduler) => ({ scheduler, toString: () => "in an order of its own" })),
        fc.nat(1_000_000),
        async (actions, { scheduler }, seed) => {
          const tally = await go(
            world({ scheduler, seed }, (context) => playPacing(context, new PacingBook(), actions))
          )
          for (const name of ["accepted", "held", "released", "filled"] as const) total[name] += tally[name]
        }
      )
      yield* Effect.promise(() => fc.assert(schedule, simulated(3)))
      for (const [name, sum] of Object.entries(total)) assert.isAbove(sum, 0, `${name}: schedules that prove nothing`)
    }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped),
  simulated(3).numRuns * 30_000
)
