import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Vendors } from "../billing/Vendors.ts"
import { PixWorld } from "../payments/PixWorld.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { type PaymentsAction, type PaymentsTally, playPayments } from "./PaymentsRun.ts"
import { makeWorlds } from "./Playing.ts"
import { hour, minute, second, simulated } from "./World.ts"

const nth = fc.nat(50)
const after = fc.integer({ min: 0, max: 40 })
const waits = fc.boolean()
/** From R$ 1,00 to what the account cannot hold a fee for. */
const amount = fc.constantFrom(1_0000, 125_5000, 400_0000, 2000_0000)
const kind = <K extends string>(name: K) => fc.constant(name)
const weighted = <A>(weight: number, arbitrary: fc.Arbitrary<A>) => ({ weight, arbitrary })

const action: fc.Arbitrary<PaymentsAction> = fc.oneof(
  weighted(6, fc.record({ kind: kind("create"), amount, waits })),
  weighted(2, fc.record({ kind: kind("createTwo"), amount })),
  weighted(3, fc.record({ kind: fc.constantFrom("cancel" as const, "approve" as const), nth, waits })),
  weighted(
    6,
    fc.record({
      kind: kind("move"),
      nth,
      status: fc.constantFrom(
        "paid" as const,
        "paid" as const,
        "failed" as const,
        "expired" as const,
        "approved" as const
      ),
      tells: fc.boolean()
    })
  ),
  weighted(
    4,
    fc.record({
      kind: kind("provider"),
      mode: fc.constantFrom(
        "answers" as const,
        "answers" as const,
        "loses" as const,
        "deaf" as const,
        "refuses" as const
      ),
      confirms: fc.boolean()
    })
  ),
  weighted(1, fc.record({ kind: kind("credit"), amount: fc.constantFrom(1, 4900, 5_0000) })),
  weighted(1, fc.record({ kind: kind("fence") })),
  weighted(2, fc.record({ kind: kind("loses"), count: fc.integer({ min: 1, max: 4 }) })),
  weighted(3, fc.record({ kind: kind("takeOver"), after })),
  weighted(1, fc.record({ kind: kind("stop"), after })),
  weighted(2, fc.record({ kind: kind("wake") })),
  weighted(4, fc.record({ kind: kind("pass"), millis: fc.constantFrom(5 * second, minute, 20 * minute, 3 * hour) }))
)

it.live(
  "payments keep every invariant of the ledger in any interleaving of creates, cancels, outcomes and lost answers, whatever stops between two statements, and none is made twice (gaps-3 D Invariants, gaps-3 C Proven create history) C-FEE-21 C-FEE-30 C-FEE-31 C-PAY-26",
  () =>
    Effect.gen(function* () {
      yield* SqlClient.SqlClient
      const world = yield* makeWorlds
      const go = Effect.runPromiseWith(yield* Effect.context<never>())
      const total = { linked: 0, ended: 0, refused: 0 } satisfies PaymentsTally
      const schedule = fc.asyncProperty(
        fc.array(action, { minLength: 8, maxLength: 24, size: "max" }),
        fc.scheduler().map((scheduler) => ({ scheduler, toString: () => "in an order of its own" })),
        fc.nat(1_000_000),
        async (actions, { scheduler }, seed) => {
          const pix = new PixWorld()
          const drawn = { scheduler, seed, vendors: new Vendors(), pix }
          const tally = await go(world(drawn, (context) => playPayments(context, pix, actions)))
          for (const name of ["linked", "ended", "refused"] as const) total[name] += tally[name]
        }
      )
      yield* Effect.promise(() => fc.assert(schedule, simulated(1)))
      assert.isAbove(Math.min(total.linked, total.ended), 0, "schedules that prove nothing")
    }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped),
  simulated(1).numRuns * 60_000
)
