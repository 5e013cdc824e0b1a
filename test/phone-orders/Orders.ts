import { Commit } from "@carteiro/owners/Commit.ts"
import { approveIdentity, declareIdentity } from "@carteiro/runtime/phone-orders/order/OrderStandings.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { seedTenant, type TestEnvironment } from "../support/Tenants.ts"

let stages = 0

/** A separate organization with an approved identity (unless given otherwise), and the calls of its keys. */
export const orderStage = Effect.fnUntraced(function* (
  identity: "none" | "pending" | "approved" = "approved",
  balance?: number
) {
  const api = yield* Api
  const tenant = yield* seedTenant(`orders${++stages}`, balance)
  if (identity !== "none") yield* declare(tenant.organization_id, identity)
  const calls = ({ key }: TestEnvironment) => ({
    get: (path: string) => api.get(`/v1/phone-numbers${path}`, { key }),
    post: (path: string, body: unknown = { ddd: "11" }, options: CallOptions = {}) =>
      api.post(`/v1/phone-numbers${path}`, body, { key, ...options })
  })
  return { api, tenant, sandbox: calls(tenant.sandbox), production: calls(tenant.production), calls }
})

/** Declares the identity of an organization. */
export const declare = Effect.fnUntraced(function* (organization_id: string, identity: "pending" | "approved") {
  const commit = yield* Commit
  const now = yield* Clock.currentTimeMillis
  yield* commit.write([
    declareIdentity.row({
      organization_id,
      legal_name: "Aurora Ltda",
      tax_id: "12345678000195",
      legal_phone: null,
      declared_at: now
    })
  ])
  if (identity === "approved") yield* commit.write([approveIdentity.row({ organization_id, approved_at: now })])
}, Effect.orDie)

/** The orders of an organization, as rows. */
export const ordersOf = (organizationId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly id: string; readonly decision: string }>`select id, decision from phone_number_orders
      where organization_id = ${organizationId} order by id`
  }).pipe(Effect.orDie)
