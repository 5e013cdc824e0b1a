import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { Deciding } from "@carteiro/runtime/phone-orders/decide/Deciding.ts"
import { PhoneOrderWorker } from "@carteiro/runtime/phone-orders/decide/PhoneOrderWorker.ts"
import { orderChanges } from "@carteiro/runtime/phone-orders/PhoneOrders.ts"
import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { leapTo, quiesce } from "../support/OwnerTest.ts"
import type { NumberWorld } from "./NumberWorld.ts"
import { orderStage } from "./Orders.ts"

export const minutes = (count: number): number => count * 60_000

/** An approved production order in a connected environment (unless given otherwise), and helpers that advance it. */
export const rentalStage = Effect.fnUntraced(function* (
  world: NumberWorld,
  options: { readonly connected?: boolean; readonly before?: (orderId: string) => Effect.Effect<void> } = {}
) {
  yield* Effect.sync(() => world.reset())
  const { api, production, tenant } = yield* orderStage()
  const sql = yield* SqlClient.SqlClient
  const owners = yield* PhoneOrderWorker.client
  const commit = yield* Commit
  const connect = Effect.gen(function* () {
    const account = { biz_account_id: "2001", phone_number_id: "1001", display_phone_number: null, token: "token" }
    const now = yield* Clock.currentTimeMillis
    yield* (yield* DemoConnection).connect({ environment_id: tenant.production.id, ...account }, now)
  })
  if (options.connected !== false) yield* connect
  const made = yield* production.post("/orders", { ddd: "21", display_name: "Loja Aurora" })
  const { id } = made.body
  const order = Effect.map(production.get(`/orders/${id}`), ({ body }) => body)
  const number = Effect.flatMap(order, ({ phone_number_id }) =>
    Effect.map(production.get(`/${phone_number_id}`), ({ body }) => body)
  )
  // A message with a code comes in at the number.
  world.sms = (phone, code) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const came = yield* number
      assert.strictEqual(came.phone, phone)
      const place = { environment_id: tenant.production.id, id: came.id }
      yield* commit.write([
        numberChanges.receiveCode({ ...place, verification_code: code, verification_code_received_at: now }),
        orderChanges.hasten({ environment_id: place.environment_id, id, phone_number_id: came.id, due_at: now })
      ])
    }).pipe(Effect.orDie)

  yield* options.before?.(id) ?? Effect.void
  const now = yield* Clock.currentTimeMillis
  const { organization_id } = tenant
  yield* (yield* Deciding).approve({ organization_id, member_id: tenant.owner.id, order_id: id, now })

  const dueAt = Effect.map(
    Effect.orDie(
      sql<{ due_at: number | null; step: string | null }>`select due_at, step from phone_number_orders where id = ${id}`
    ),
    ([row]) => row
  )
  /** Runs the next step if it becomes due within that time; returns the step when there is none. */
  const next = Effect.fnUntraced(function* (within = minutes(120)) {
    yield* quiesce
    const row = yield* dueAt
    const present = yield* Clock.currentTimeMillis
    if (row?.due_at == null || row.due_at > present + within) return { ended: true, step: row?.step ?? null }
    if (row.due_at > present) yield* leapTo(row.due_at)
    owners.wake(id)
    yield* quiesce
    return { ended: false, step: row.step }
  })
  /** Runs one due step after the other until none is due within that time. */
  const drive = Effect.fnUntraced(function* (within = minutes(120)) {
    const until = (yield* Clock.currentTimeMillis) + within
    while (true) {
      const { ended, step } = yield* next(until - (yield* Clock.currentTimeMillis))
      if (ended) return step
    }
  })
  const standing = Effect.gen(function* () {
    const held = yield* Effect.orDie(sql<{ readonly state: string }>`select state from reservations
      where account_id = ${organization_id}`)
    return [(yield* order).status, (yield* number).status, held.map(({ state }) => state).join()]
  })
  const balance = Effect.map(api.get("/v1/billing/balance", { key: tenant.production.key }), ({ body }) => [
    body.balance_brl,
    body.held_brl
  ])
  /** The number provider sends a notice about the order. */
  const hint = Effect.gen(function* () {
    const { phone_number_id } = yield* order
    const due_at = yield* Clock.currentTimeMillis
    yield* commit.write([orderChanges.hasten({ environment_id: tenant.production.id, id, phone_number_id, due_at })])
  }).pipe(Effect.orDie)
  return { api, balance, connect, drive, hint, id, next, number, order, production, sql, standing, tenant }
})
