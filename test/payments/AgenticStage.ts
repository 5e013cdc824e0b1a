import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { violations } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"

export const bodyOfAuthorization = {
  bank_id: "sbbank_alpha",
  customer_name: "Ana Souza",
  customer_tax_id: "12345678909",
  max_amount_brl_centavos: 50_000
}

/** Calls of the agentic routes with the key of one environment of acme's. */
export const agentic = (kind: "sandbox" | "production") =>
  Effect.map(Api, ({ acme, get, post }) => {
    const { key } = acme[kind]
    return {
      acme,
      key,
      id: acme[kind].id,
      authorize: (more: object = {}, options: object = {}) =>
        post("/v1/agentic/authorizations", { ...bodyOfAuthorization, ...more }, { key, ...options }),
      authorization: (id: string) => Effect.map(get(`/v1/agentic/authorizations/${id}`, { key }), ({ body }) => body),
      revoke: (id: string, body: unknown = {}, options: object = {}) =>
        post(`/v1/agentic/authorizations/${id}/revoke`, body, { key, ...options }),
      pay: (authorization_id: string, more: object = {}, options: object = {}) =>
        post("/v1/agentic/payments", { authorization_id, amount_brl_centavos: 12_550, ...more }, { key, ...options }),
      payment: (id: string) => Effect.map(get(`/v1/agentic/payments/${id}`, { key }), ({ body }) => body),
      get: (path: string) => get(path, { key }),
      balance: Effect.map(get("/v1/billing/balance", { key }), ({ body }) => [body.balance_brl, body.held_brl]),
      ledger: (query = "") => Effect.map(get(`/v1/billing/ledger?limit=100${query}`, { key }), ({ body }) => body.data)
    }
  })

/** Connects acme's production environment to the agentic provider; returns the connection's id. */
export const connectAgentic = Effect.gen(function* () {
  const { acme } = yield* Api
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* DemoConnection).connectPayments(
    {
      environment_id: acme.production.id,
      environment: "production",
      provider: "pixprov1",
      channel: "agentic_payments",
      display_name: "Agentic",
      api_key: "agentic-key-1234",
      webhook_secret: "agentic-secret",
      default_participant_id: "part_1",
      agent_id: "agent_1"
    },
    now
  )
})

/** The broken invariants of the ledger, and reservations or payments without a counterpart. */
export const disagreements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const apart = yield* Effect.orDie(sql`select p.id from agentic_payments p
    left join reservations r on r.account_id = p.account_id and r.id = p.completion_reservation_id
    where r.state is distinct from case p.completion_state when 'held' then 'open' else p.completion_state end`)
  return [...(yield* violations), ...apart]
})
