import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { CardWebhookSecrets } from "@carteiro/runtime/billing/routes/CardWebhookHttp.ts"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest, type CallOptions } from "../support/ApiTest.ts"
import { Cardproc, cardprocAdapter, cardprocSecret } from "../support/Cardproc.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import { layerClock } from "../support/TurnedClock.ts"
import { billingOwners } from "./TestActs.ts"

const owners = Layer.provideMerge(billingOwners, billingRoom.services)

/** The routes of billing over a simulated card processor. */
export const cardProduct = ApiTest(billingRoom.routes, owners, { followers: billingRoom.followers }).pipe(
  Layer.provide(Layer.succeed(CardWebhookSecrets, [Redacted.make(cardprocSecret)])),
  Layer.provideMerge(cardprocAdapter),
  Layer.provideMerge(Cardproc.layer),
  Layer.provide(layerClock)
)

/** The same without any processor. */
export const bareProduct = ApiTest(billingRoom.routes, owners, { followers: billingRoom.followers })

/** Saves a card and answers its record. */
export const saveCard = Effect.fnUntraced(function* (key: string, card: string, more: object = {}) {
  const { post } = yield* Api
  return yield* post("/v1/billing/payment-methods", { cardproc_payment_method_id: card, ...more }, { key })
})

/** Buys a package. */
export const buy = Effect.fnUntraced(function* (key: string, body: object = {}, options: CallOptions = {}) {
  const { post } = yield* Api
  return yield* post("/v1/billing/packages/purchase", { package_code: "pack_1k", ...body }, { key, ...options })
})

/** Lets time pass: the account is woken at each instant at which one of its charges is due, as the sweeper does. */
export const passDue = Effect.fnUntraced(function* (accountId: string, millis: number) {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* BillingAccountEntity.client
  const until = (yield* Clock.currentTimeMillis) + millis
  for (let now = until - millis; now < until; now = yield* Clock.currentTimeMillis) {
    const [row] = yield* Effect.orDie(
      sql<{ readonly next: number | null }>`select min(due_at) as next from charges where account_id = ${accountId}`
    )
    yield* leapTo(Math.max(now, Math.min(until - 1, row?.next ?? until)))
    accounts.wake(accountId)
    yield* turnBy(1)
  }
  yield* turnBy(10)
})

/** A top-up as the list shows it. */
export const topupOf = Effect.fnUntraced(function* (key: string, id: string) {
  const { get } = yield* Api
  const { body } = yield* get("/v1/billing/packages?limit=100", { key })
  return (body.data as ReadonlyArray<{ readonly [member: string]: unknown }>).find((topup) => topup.id === id)
})

/** Credits of a top-up in the ledger's table. */
export const creditsOf = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{ readonly type: string; readonly amount: number }>`select type, amount from ledger_entries
        where source_id = ${id} order by id`
    )
  )
