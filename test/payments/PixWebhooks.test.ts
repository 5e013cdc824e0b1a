import { createHmac } from "node:crypto"
import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import type { PixSimulator } from "@carteiro/simulators/pix/PixSimulator.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { simulatedPix } from "../support/Pix.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic, connectAgentic, disagreements } from "./AgenticStage.ts"

class Vendor extends Context.Service<Vendor, PixSimulator>()("@carteiro/test/payments/Vendor") {}

/** The whole product over sockets, on the machine's time, with a simulated Pix provider. */
const product = Layer.unwrap(
  Effect.map(simulatedPix("pixprov1", { workMs: 20 }), (simulator) =>
    WholeProduct({ clock: "live", settings: { CARTEIRO_PIXPROV1_API_BASE_URL: simulator.url } }).pipe(
      Layer.provideMerge(Layer.succeed(Vendor, simulator))
    )
  )
)

const sign = (text: string, secret: string, t: number) => {
  const v1 = createHmac("sha256", secret).update(`${t}.${text}`).digest("hex")
  return { "x-provider-signature": `t=${t},v1=${v1}` }
}

const seconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

it.layer(product, { excludeTestServices: true })("Notices of Pix providers", (it) => {
  it.effect("make the named object due for a look-up, and only the answer of the provider counts C-AGT-01", () =>
    Effect.gen(function* () {
      const { authorization, authorize, pay, payment } = yield* agentic("production")
      const { baseUrl } = yield* Api
      const simulator = yield* Vendor
      const connection = yield* connectAgentic
      simulator.accounts.setUp({
        key: "agentic-key-1234",
        webhook_secret: "agentic-secret",
        webhook_url: `${baseUrl}/webhooks/pixprov1/${connection}`
      })
      const { id } = (yield* authorize({ bank_id: "bank_azul" })).body
      yield* until(Effect.map(authorization(id), ({ authorization_url }) => authorization_url !== null))
      const asked = yield* authorization(id)
      assert.deepInclude(simulator.log.read(0, "authorization")[0], { participant_id: "part_1", agent_id: "agent_1" })

      // Without a notice the next look-up is a minute away.
      const decision = { method: "POST", body: new URLSearchParams({ decision: "authorized" }) }
      yield* Effect.promise(() => fetch(asked.authorization_url, decision))
      yield* until(Effect.map(authorization(id), ({ status }) => status === "authorized"))

      simulator.faults.set([{ name: "duplicate_webhook" }], 1)
      const created = (yield* pay(id)).body
      yield* until(Effect.map(payment(created.id), ({ status }) => status === "paid"))
      assert.strictEqual((yield* payment(created.id)).fees.completion.state, "settled")
      simulator.faults.set([], 1)

      // The content of a webhook itself has no effect.
      const next = (yield* pay(id, { metadata: { n: 2 } })).body
      yield* until(Effect.map(payment(next.id), ({ status }) => status === "paid"))
      const made = simulator.log.read(0, "agentic_payment").filter(({ outcome }) => outcome === "made")
      assert.deepStrictEqual(made.map(({ external_id }) => external_id).sort(), [created.id, next.id].sort())
      assert.deepStrictEqual(yield* disagreements, [])
    })
  )

  it.effect("and responses that are lost are made up for, and a false notice changes nothing", () =>
    Effect.gen(function* () {
      const { authorization, authorize, pay, payment } = yield* agentic("production")
      const { baseUrl, post } = yield* Api
      const simulator = yield* Vendor
      const connection = yield* connectAgentic
      simulator.accounts.setUp({
        key: "agentic-key-1234",
        webhook_secret: "agentic-secret",
        webhook_url: `${baseUrl}/webhooks/pixprov1/${connection}`
      })
      const { id } = (yield* authorize({ bank_id: "bank_azul" })).body
      yield* until(Effect.map(authorization(id), ({ authorization_url }) => authorization_url !== null))
      const lie = JSON.stringify({
        id: "evt_lie",
        type: "authorization.updated",
        created_at: "2026-01-01T00:00:00.000Z",
        data: { id: "x", external_id: id, status: "authorized" }
      })
      const path = `/webhooks/pixprov1/${connection}`
      const told = yield* post(path, lie, { headers: sign(lie, "agentic-secret", yield* seconds) })
      assert.deepStrictEqual([told.status, told.body.received], [200, true])
      const looks = () => simulator.log.read(0, "authorization_read").filter((entry) => entry.external_id === id).length
      yield* until(Effect.sync(() => looks() > 0))
      assert.strictEqual((yield* authorization(id)).status, "pending")

      const decision = { method: "POST", body: new URLSearchParams({ decision: "authorized" }) }
      const page = (yield* authorization(id)).authorization_url
      yield* Effect.promise(() => fetch(page, decision))
      yield* until(Effect.map(authorization(id), ({ status }) => status === "authorized"))

      simulator.faults.set([{ name: "reset_after", operation: "agentic_payment", times: 1 }], 1)
      const lost = (yield* pay(id)).body
      yield* until(Effect.map(payment(lost.id), ({ status }) => status === "paid"))
      const made = simulator.log.read(0, "agentic_payment").filter((entry) => entry.external_id === lost.id)
      assert.strictEqual(made.length, 1)
      assert.deepStrictEqual(yield* disagreements, [])
    })
  )

  it.effect(
    'are refused and not stored when they are forged, stale, foreign or unconfigured gaps-3 G "Inbound provider webhooks"',
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const connection = yield* connectAgentic
        const now = yield* seconds
        const body = (id: string) =>
          JSON.stringify({ id, type: "authorization.updated", data: { id: "x", external_id: "aga_x" } })
        const tell = (path: string, text: string, headers: Record<string, string>) => post(path, text, { headers })
        const own = `/webhooks/pixprov1/${connection}`
        const refused: ReadonlyArray<readonly [string, Record<string, string>]> = [
          [own, {}],
          [own, sign(body("evt_no"), "another", now)],
          [own, sign(body("evt_other"), "agentic-secret", now)],
          [own, sign(body("evt_no"), "agentic-secret", now - 301)],
          [own, sign(body("evt_no"), "agentic-secret", now + 302)],
          ["/webhooks/pixprov1/pcn_nobody", sign(body("evt_no"), "agentic-secret", now)],
          [`/webhooks/pixprov2/${connection}`, sign(body("evt_no"), "agentic-secret", now)]
        ]
        for (const [path, headers] of refused) {
          const answer = yield* tell(path, body("evt_no"), headers)
          assert.deepStrictEqual([answer.status, answer.body.error.code], [401, "provider_webhook_signature_invalid"])
        }
        const silent = yield* (yield* DemoConnection).connectPayments(
          {
            environment_id: acme.sandbox.id,
            environment: "sandbox",
            provider: "pixprov2",
            channel: "payments",
            display_name: "Silent",
            api_key: "silent-key-1234"
          },
          now * 1000
        )
        const unset = yield* tell(`/webhooks/pixprov2/${silent}`, body("evt_no"), sign(body("evt_no"), "x", now))
        assert.deepStrictEqual([unset.status, unset.body.error.code], [503, "provider_webhook_not_configured"])
        const large = "x".repeat(1024 * 1024 + 1)
        assert.strictEqual((yield* tell(own, large, sign(large, "agentic-secret", now))).status, 413)
        const stored = (id: string) =>
          Effect.map(
            sql<{
              readonly n: number
            }>`select count(*)::int4 as n from vendor_webhooks where unique_key = ${`${connection}/${id}`}`,
            ([row]) => row?.n
          )
        assert.strictEqual(yield* stored("evt_no"), 0)
        for (let n = 0; n < 2; n++) {
          const twice = yield* tell(own, body("evt_yes"), sign(body("evt_yes"), "agentic-secret", now))
          assert.deepStrictEqual([twice.status, twice.body.received], [200, true])
          assert.isString(twice.body.trace_id)
        }
        assert.strictEqual(yield* stored("evt_yes"), 1)
      })
  )
})
