import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { nextLookAt, retryLookAt } from "@carteiro/runtime/provider-connections/health/HealthSchedule.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

const hour = 3_600_000

it("checks a connection again six hours later, give or take a tenth M-PHN-14 M-LIM-07", () => {
  assert.deepStrictEqual([nextLookAt(0, 0), nextLookAt(0, 0.5), nextLookAt(0, 1)], [5.4 * hour, 6 * hour, 6.6 * hour])
  // A failed check is retried sooner, and never later than the regular one.
  assert.deepStrictEqual([retryLookAt(0, 0), retryLookAt(0, 1), retryLookAt(0, 50)], [hour / 12, hour / 6, 6 * hour])
})

const path = "/v1/provider-connections"
let count = 0

/** A connected account of a new production environment, with an active number. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const simulator = yield* Upstream
  const sql = yield* SqlClient.SqlClient
  const n = ++count
  const { production } = yield* seedProject(api.acme.organization_id, `health-${n}`)
  const account = { biz_account_id: `66${n}`, token: `health-token-${n}` }
  const number_id = `67${n}`
  simulator.world.add({ ...account, numbers: [{ id: number_id, display_phone_number: "+1" }], templates: [] })
  const number = yield* seedNumber({ id: production.id, kind: "production" })
  const cover = numberChanges.cover({
    environment_id: production.id,
    id: number.id,
    upstream_phone_number_id: number_id,
    biz_account_id: account.biz_account_id,
    updated_at: yield* Clock.currentTimeMillis
  })
  yield* Effect.orDie((yield* Commit).write([cover]))
  const control = (to: string, body: object) =>
    Effect.promise(() => fetch(`${simulator.url}${to}`, { method: "POST", body: JSON.stringify(body) }))
  const { key } = production
  const body = { display_name: "Shop", phone_number_id: number_id, biz_account_id: account.biz_account_id }
  const read = Effect.map(api.get(`/v1/phone-numbers/${number.id}`, { key }), (answer) => answer.body)
  return {
    account,
    api,
    control,
    key,
    number,
    number_id,
    production,
    read,
    simulator,
    sql,
    connect: api.post(`${path}/upstream`, { ...body, access_token: account.token }, { key, idempotencyKey: "connect" }),
    connection: (id: string) => Effect.map(api.get(`${path}/${id}`, { key }), (answer) => answer.body),
    /** Makes the next check due now. */
    hasten: sql`update provider_connections set health_due_at = now() where environment_id = ${production.id}`
  }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("The health of connections", (it) => {
  it.effect(
    "is read of every active number at once when an account is connected M-PHN-10 M-PHN-12 M-LIM-07 U-LIM-01",
    () =>
      Effect.gen(function* () {
        const { connect, control, number_id, read, account } = yield* stage
        assert.isNull((yield* read).upstream_health_synced_at)
        yield* control("/numbers", {
          id: number_id,
          biz_account_id: account.biz_account_id,
          quality_rating: "YELLOW",
          messaging_limit_tier: "TIER_10K",
          throughput: "HIGH",
          verified_name: "Loja do Bairro"
        })
        assert.strictEqual((yield* connect).status, 201)
        yield* until(Effect.map(read, (number) => number.upstream_health_synced_at !== null))
        const number = yield* read
        assert.deepStrictEqual(
          [number.quality_rating, number.upstream_quality_rating, number.messaging_tier, number.messaging_limit_tier],
          ["yellow", "YELLOW", "tier_10k", "TIER_10K"]
        )
        assert.deepStrictEqual([number.upstream_throughput_tier, number.verified_name], ["unlimited", "Loja do Bairro"])
      })
  )

  it.effect("stays unchanged after a check that fails, together with its instant M-PHN-13", () =>
    Effect.gen(function* () {
      const { account, connect, hasten, number_id, production, read, simulator, sql } = yield* stage
      yield* connect
      yield* until(Effect.map(read, (number) => number.upstream_health_synced_at !== null))
      const before = yield* read
      simulator.world.numbers.delete(number_id)
      const failed = sql<{ readonly n: number }>`select health_attempts as n from provider_connections
        where environment_id = ${production.id}`
      yield* hasten
      yield* until(Effect.map(failed, ([row]) => (row?.n ?? 0) > 0))
      const after = yield* read
      for (const member of ["upstream_health_synced_at", "verified_name", "quality_rating", "messaging_tier"]) {
        assert.strictEqual(after[member], before[member], member)
      }
      simulator.world.addNumber(number_id, account.biz_account_id, "+1")
      yield* hasten
      yield* until(Effect.map(failed, ([row]) => row?.n === 0))
    })
  )

  it.effect(
    "shows what an account may send; a new block ends queued sends with its code before any call M-CONN-09..13 M-CONN-18 M-CONN-19 M-DLV-15",
    () =>
      Effect.gen(function* () {
        const { account, api, connect, connection, control, hasten, key, number, simulator } = yield* stage
        yield* control("/accounts", { ...account, send: "BLOCKED", codes: [141011, 141006, 7] })
        const { id } = (yield* connect).body
        yield* until(Effect.map(connection(id), ({ send_capability }) => send_capability !== null))
        const blocked = yield* connection(id)
        assert.deepStrictEqual(
          [blocked.status, blocked.send_capability, blocked.send_block_codes],
          ["connected", "blocked", ["141006", "141011"]]
        )
        const [entry] = blocked.biz_account_send_capabilities
        assert.deepStrictEqual(
          [entry.biz_account_id, entry.send_capability, entry.send_block_codes],
          [account.biz_account_id, "blocked", ["141006", "141011"]]
        )
        assert.strictEqual(blocked.send_capability_observed_at, entry.observed_at)
        assert.strictEqual(blocked.account_review_status, "APPROVED")

        yield* Effect.orDie((yield* SqlClient.SqlClient)`insert into service_windows (environment_id, channel, business_id,
            customer_key, latest_inbound_at)
          values (${number.environment_id}, 'chatapp', ${number.id}, '5511988887777', now())`)
        const sends = simulator.log.read(0, "message").length
        const sent = yield* api.post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id: "+5511988887777" },
            message: { type: "text", text: { body: "Olá" } }
          },
          { key }
        )
        assert.strictEqual(sent.status, 202, sent.text)
        const read = Effect.map(api.get(`/v1/messages/${sent.body.id}`, { key }), ({ body }) => body)
        yield* until(Effect.map(read, ({ status }) => status === "failed"))
        const { error_code, provider_error } = yield* read
        assert.deepStrictEqual([error_code, provider_error], ["upstream_payment_method_required", null])
        assert.strictEqual(simulator.log.read(0, "message").length, sends)

        yield* control("/accounts", { ...account, send: "AVAILABLE" })
        yield* hasten
        yield* until(Effect.map(connection(id), ({ send_capability }) => send_capability === "available"))
        const lifted = yield* connection(id)
        assert.deepStrictEqual(
          [lifted.send_block_codes, lifted.biz_account_send_capabilities[0].send_block_codes],
          [null, null]
        )
      })
  )
})
