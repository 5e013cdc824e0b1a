import * as Messages from "@carteiro/runtime/messages/room.ts"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { seedSender } from "../support/Numbers.ts"
import { ownerServices } from "../support/OwnerTest.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { layerLiveClock } from "../support/TurnedClock.ts"
import { accept, customer, hear } from "./Sending.ts"

const neighbour = "5511900000002"

const product = Layer.unwrap(
  Effect.map(create(), (url) =>
    Messages.room.owners.pipe(
      Layer.provideMerge(ownerServices({}, { clock: layerLiveClock, database: TestDatabase.at(url, servingLimits) }))
    )
  )
)

it.layer(product, { excludeTestServices: true })("While the row of one contact is locked", (it) => {
  it.effect(
    "other customers of the number and other tenants send and receive, and no message of that customer is lost (docs/architecture.md)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedSender()
        const elsewhere = yield* seedSender()
        for (const one of [number, elsewhere]) {
          yield* hear(one)
          yield* hear(one, { customer_key: neighbour })
        }
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            const held = yield* sql`select 1 from contacts
              where environment_id = ${number.environment_id} and match_key = ${customer} for update`
            assert.strictEqual(held.length, 1)
            const stuck = yield* Effect.forkDetach(Effect.exit(hear(number)))
            for (let round = 0; round < 3; round++) {
              yield* hear(number, { customer_key: neighbour })
              yield* accept(number, { customer_key: neighbour })
              yield* hear(elsewhere)
              yield* accept(elsewhere)
            }
            assert.isUndefined(stuck.pollUnsafe())
            return stuck
          })
        )
        // It waits for its row, or its caller is asked to retry.
        const end = yield* Fiber.join(waiting)
        if (end._tag === "Failure") yield* hear(number)
        const heard = yield* sql`select 1 from messages
          where business_id = ${number.id} and customer_key = ${customer} and direction = 'inbound'`
        assert.strictEqual(heard.length, 2)
      })
  )
})
