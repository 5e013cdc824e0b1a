import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { violations } from "../billing/Accounts.ts"
import { NumberWorld, type Operation, vendorsOf } from "../phone-orders/NumberWorld.ts"
import { rentalStage } from "../phone-orders/RentalStage.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const world = new NumberWorld()

/** Everything that is asked outside from an order to its number, in this order. */
const steps: ReadonlyArray<Operation> = ["order", "read", "list", "add", "request_code", "verify_code", "register"]

/**
 * A node that is killed while a call is under way leaves what it had committed before: the rows are put back to that,
 * whether the other side has done its part (`lost_after`) or has not (`lost`). Then the next owner goes on.
 */
const killed = Effect.fnUntraced(function* (step: Operation, when: "lost" | "lost_after") {
  const sql = yield* SqlClient.SqlClient
  let left: { readonly o: string; readonly n: string } | undefined
  let sms = world.sms
  const before = (id: string) =>
    Effect.sync(() => {
      world.mishaps[step] = [when]
      world.atMishap = Effect.orDie(
        Effect.map(
          sql<{ readonly o: string; readonly n: string }>`select to_json(o)::text as o, to_json(n)::text as n
            from phone_number_orders o join phone_numbers n on n.id = o.phone_number_id where o.id = ${id}`,
          ([row]) => {
            left = row
            // Nobody takes the message to the node that is gone.
            sms = world.sms
            world.sms = () => Effect.void
          }
        )
      )
    })
  const { drive, next, number, production, standing } = yield* rentalStage(world, { before })
  if (step === "release") {
    yield* drive()
    assert.strictEqual((yield* production.post(`/${(yield* number).id}/release`, {})).status, 202)
  }
  yield* quiesce
  while (left === undefined) assert.isFalse((yield* next()).ended, `${step} was never asked`)
  const { n, o } = left
  world.sms = sms
  yield* Effect.orDie(sql`update phone_number_orders t set step = r.step, step_attempts = r.step_attempts,
      step_began_at = r.step_began_at, due_at = r.due_at, placed_at = r.placed_at, returned_at = r.returned_at,
      provider_order_id = r.provider_order_id, provider_number_id = r.provider_number_id
    from json_populate_record(null::phone_number_orders, ${o}::json) r where t.id = r.id`)
  yield* Effect.orDie(sql`update phone_numbers t set status = r.status, phone = r.phone,
      provider_number_id = r.provider_number_id, upstream_phone_number_id = r.upstream_phone_number_id
    from json_populate_record(null::phone_numbers, ${n}::json) r where t.id = r.id`)
  assert.isNull(yield* drive())
  return { number: yield* number, standing: yield* standing }
})

/** What the other sides remember, against what stands here: nothing twice, nothing paid for that is not there, nothing unknown. */
const checked = (number: { readonly provider_number_id: string; readonly phone: string }, rented: boolean) =>
  Effect.gen(function* () {
    assert.deepStrictEqual([...world.rented], [[number.provider_number_id, rented]])
    assert.deepStrictEqual([world.orders.size, world.registered.size], [1, 1])
    assert.deepStrictEqual(yield* violations, [])
  })

it.layer(WholeProduct({ sweeps: false, vendors: vendorsOf(world) }), { excludeTestServices: true })(
  "Killed on the way to a number",
  (it) => {
    it.effect("the next owner gives up an order that never reached its provider, and nothing is paid M-ORD-17", () =>
      Effect.gen(function* () {
        const { standing } = yield* killed("order", "lost")
        assert.deepStrictEqual(standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([world.orders.size, world.rented.size], [0, 0])
        assert.deepStrictEqual(yield* violations, [])
      })
    )

    for (const when of ["lost", "lost_after"] as const) {
      it.effect(`the next owner brings the order to its number: ${when} M-ORD-17`, () =>
        Effect.forEach(
          steps,
          Effect.fnUntraced(function* (step) {
            // An order that may have left is looked up and never placed again: one that had not left is given up.
            if (step === "order" && when === "lost") return
            const { number, standing } = yield* killed(step, when)
            assert.deepStrictEqual(standing, ["fulfilled", "active", "settled"], step)
            yield* checked(number, true)
          }),
          { discard: true }
        )
      )

      it.effect(`the next owner gives the number back: ${when}`, () =>
        Effect.gen(function* () {
          const { number, standing } = yield* killed("release", when)
          assert.deepStrictEqual(standing, ["fulfilled", "released", "settled"])
          yield* checked(number, false)
        })
      )
    }
  }
)
