import type { PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import { eventBinding, type StoredEvent } from "@carteiro/runtime/outbox/EventBodies.ts"
import { readSealed } from "@carteiro/runtime/outbox/EventText.ts"
import { SandboxPaymentsWorker } from "@carteiro/runtime/payments/sandbox/SandboxPaymentsWorker.ts"
import { PaymentWorker } from "@carteiro/runtime/payments/worker/PaymentWorker.ts"
import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { violations } from "../billing/Accounts.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"

/** The members of a payment besides its amount. */
export const everything = {
  description: "Order 42",
  customer_name: "Ana Souza",
  customer_tax_id: "12345678909",
  customer_phone: "+5511912345678",
  customer_email: "ana@example.com",
  external_reference: "order-42",
  metadata: { order: "42" }
}

/** Calls of the payment routes with the key of one environment of acme's. */
export const paying = (kind: "sandbox" | "production") =>
  Effect.map(Api, ({ acme, get, post }) => {
    const { id, key } = acme[kind]
    return {
      acme,
      key,
      id,
      create: (more: object = {}, options: object = {}) =>
        post("/v1/payments", { amount_brl_centavos: 12_550, ...more }, { key, ...options }),
      payment: (id: string) => Effect.map(get(`/v1/payments/${id}`, { key }), ({ body }) => body),
      cancel: (id: string, body: unknown = {}, options: object = {}) =>
        post(`/v1/payments/${id}/cancel`, body, { key, ...options }),
      requestApproval: (id: string, body: unknown = {}, options: object = {}) =>
        post(`/v1/payments/${id}/request-approval`, body, { key, ...options }),
      setStatus: (id: string, body: unknown, options: object = {}) =>
        post(`/v1/sandbox/payments/${id}/status`, body, { key, ...options }),
      get: (path: string) => get(path, { key }),
      balance: Effect.map(get("/v1/billing/balance", { key }), ({ body }) => [body.balance_brl, body.held_brl]),
      ledger: (query = "") => Effect.map(get(`/v1/billing/ledger?limit=100${query}`, { key }), ({ body }) => body.data),
      /** The events of one payment, oldest first, as sent. */
      events: eventsOf(id)
    }
  })

const eventsOf = (environmentId: string) =>
  Effect.fnUntraced(function* (paymentId: string) {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const rows = yield* Effect.orDie(sql<StoredEvent>`select environment_id, id, envelope from outbox_events
      where environment_id = ${environmentId} and source_id = ${paymentId} order by id`)
    return rows.map(({ envelope, environment_id, id }) => {
      const sealed = readSealed(envelope)
      const text = sealed === undefined ? envelope : secrets.open("event", sealed, eventBinding(environment_id, id))
      return JSON.parse(text ?? "")
    })
  })

/** Advances time; then acme's workers, which leave memory after a quarter of an hour without work, handle due steps. */
export const advance = Effect.fnUntraced(function* (millis: number) {
  const { acme } = yield* Api
  yield* turnBy(millis)
  ;(yield* PaymentWorker.client).wake(acme.production.id)
  ;(yield* SandboxPaymentsWorker.client).wake(acme.sandbox.id)
  yield* turnBy(10)
})

/** The code and param of a refusal. */
export const refusalOf = ({ body, status }: Answer) => [status, body.error?.code, body.error?.param]

/** Connects an environment of acme's to a payment provider; returns the connection's id. */
export const connect = Effect.fnUntraced(function* (
  provider: "pixprov1" | "pixprov2",
  kind: "sandbox" | "production" = "production",
  driver?: PixDriver
) {
  const { acme } = yield* Api
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* DemoConnection).connectPayments(
    {
      environment_id: acme[kind].id,
      environment: kind,
      provider,
      channel: "payments",
      display_name: "Shop",
      api_key: `${provider}-key-1234`,
      webhook_secret: `${provider}-secret`,
      driver
    },
    now
  )
})

/** The broken invariants of the ledger, and reservations, payments or events without a counterpart. */
export const apart = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const fees = yield* Effect.orDie(sql`select p.id from payment_requests p
    left join reservations r on r.account_id = p.account_id and r.id = p.completion_reservation_id
    where p.rate_card_id is not null
      and r.state is distinct from case p.completion_state when 'held' then 'open' else p.completion_state end`)
  const untold = yield* Effect.orDie(sql`select p.id, e.type, count(*) from payment_requests p
    left join outbox_events e on e.environment_id = p.environment_id and e.source_id = p.id
    where p.rate_card_id is not null group by p.id, p.status, e.type
    having count(*) > 1 or e.type is null`)
  return [...(yield* violations), ...fees, ...untold]
})
