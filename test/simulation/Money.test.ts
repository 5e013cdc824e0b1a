import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { type CardMode, type PixMode, Vendors } from "../billing/Vendors.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { type MoneyAction, type MoneyTally, playMoney } from "./MoneyRun.ts"
import { makeWorlds } from "./Playing.ts"
import { day, hour, minute, second, simulated } from "./World.ts"

const nth = fc.nat(50)
const after = fc.integer({ min: 0, max: 40 })
const waits = fc.boolean()
const amount = fc.constantFrom(1, 4900, 12_3400, 120_0000)
const kind = <K extends string>(name: K) => fc.constant(name)
const weighted = <A>(weight: number, arbitrary: fc.Arbitrary<A>) => ({ weight, arbitrary })

const action: fc.Arbitrary<MoneyAction> = fc.oneof(
  weighted(4, fc.record({ kind: kind("hold"), amount, waits })),
  weighted(4, fc.record({ kind: fc.constantFrom("settle" as const, "release" as const), nth, waits })),
  weighted(4, fc.record({ kind: kind("use"), count: fc.integer({ min: 1, max: 8 }) })),
  weighted(2, fc.record({ kind: kind("correct"), type: fc.constantFrom("credit" as const, "debit" as const), amount })),
  weighted(5, fc.record({ kind: kind("topUp"), waits })),
  weighted(1, fc.record({ kind: fc.constantFrom("refund" as const, "payPix" as const), nth })),
  weighted(
    4,
    fc.record({
      kind: kind("subscribe"),
      plan: fc.nat(3),
      rail: fc.constantFrom("cardproc_card" as const, "cardproc_card" as const, "pix_annual" as const),
      waits
    })
  ),
  weighted(3, fc.record({ kind: kind("change"), plan: fc.nat(3), waits })),
  weighted(1, fc.record({ kind: kind("cancel"), waits })),
  weighted(
    5,
    fc.record({
      kind: kind("card"),
      mode: fc.constantFrom<CardMode>("pays", "declines", "loses", "late", "very_late", "lags", "pays_late")
    })
  ),
  weighted(1, fc.record({ kind: kind("pix"), mode: fc.constantFrom<PixMode>("makes", "loses", "late") })),
  weighted(1, fc.record({ kind: kind("fence") })),
  weighted(2, fc.record({ kind: kind("loses"), count: fc.integer({ min: 1, max: 4 }) })),
  weighted(3, fc.record({ kind: kind("takeOver"), after })),
  weighted(1, fc.record({ kind: kind("stop"), after })),
  weighted(2, fc.record({ kind: kind("wake") })),
  weighted(
    4,
    fc.record({ kind: kind("pass"), millis: fc.constantFrom(5 * second, minute, 3 * hour, 2 * day, 8 * day) })
  ),
  weighted(3, fc.record({ kind: kind("monthEnd") }))
)

it.live(
  "an account keeps every invariant in any interleaving of holds, usage, top-ups, refunds, plans and months, whatever stops between two statements (gaps-3 D Invariants, gaps-3 E Subscription states)",
  () =>
    Effect.gen(function* () {
      yield* SqlClient.SqlClient
      const world = yield* makeWorlds
      const go = Effect.runPromiseWith(yield* Effect.context<never>())
      const total = { entries: 0, invoices: 0, topups: 0, months: 0 } satisfies MoneyTally
      const schedule = fc.asyncProperty(
        fc.array(action, { minLength: 10, maxLength: 40, size: "max" }),
        fc.scheduler().map((scheduler) => ({ scheduler, toString: () => "in an order of its own" })),
        fc.nat(1_000_000),
        async (actions, { scheduler }, seed) => {
          const vendors = new Vendors()
          const tally = await go(world({ scheduler, seed, vendors }, (context) => playMoney(context, vendors, actions)))
          for (const name of ["entries", "invoices", "topups", "months"] as const) total[name] += tally[name]
        }
      )
      yield* Effect.promise(() => fc.assert(schedule, simulated(6)))
      for (const [name, sum] of Object.entries(total)) assert.isAbove(sum, 0, `${name}: schedules that prove nothing`)
    }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped),
  simulated(6).numRuns * 60_000
)
