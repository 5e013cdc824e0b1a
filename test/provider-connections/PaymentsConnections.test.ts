import { DemoConnection, PaymentsConnections } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const account = (environment_id: string, provider: "pixprov1" | "pixprov2", api_key: string) => ({
  environment_id,
  environment: "sandbox" as const,
  provider,
  channel: "payments" as const,
  display_name: "Till",
  api_key
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Payments connections", (it) => {
  it.effect(
    'keep credentials as AES-256-GCM with four readable characters M-CONN-15 gaps-2 L "Credential storage"',
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const connections = yield* PaymentsConnections
        const demo = yield* DemoConnection
        const sql = yield* SqlClient.SqlClient
        const secret = "whsec_of_the_till"
        const given = { ...account(acme.sandbox.id, "pixprov1", "key-of-the-till-1234"), webhook_secret: secret }
        const id = yield* demo.connectPayments(given, 1000)
        const [row] = yield* sql<{ readonly shown: string; readonly four: string; readonly webhook: string }>`select
          encode(credential, 'escape') as shown, credential_last_four as four, encode(webhook_secret, 'escape') as webhook
        from provider_connections where id = ${id}`
        assert.strictEqual(row?.four, "1234")
        assert.notInclude(row?.shown, "till")
        assert.notInclude(row?.webhook, "till")
        const found = yield* connections.byId(id)
        assert.strictEqual(found?.credential && Redacted.value(found.credential), "key-of-the-till-1234")
        assert.strictEqual(found?.webhook_secret && Redacted.value(found.webhook_secret), secret)
        // A credential that was encrypted for one row cannot be decrypted for another.
        yield* sql`update provider_connections set webhook_secret = credential where id = ${id}`
        assert.strictEqual((yield* connections.byId(id))?.webhook_secret, undefined)
      })
  )

  it.effect(
    'are chosen as the latest connected one, or as the dashboard selects gaps-3 C "Which provider a payment uses"',
    () =>
      Effect.gen(function* () {
        const { other } = yield* Api
        const connections = yield* PaymentsConnections
        const demo = yield* DemoConnection
        const sql = yield* SqlClient.SqlClient
        const environment = other.sandbox.id
        const chosen = Effect.map(connections.selected(environment), (connection) => connection?.id)
        assert.strictEqual(yield* chosen, undefined)
        const first = yield* demo.connectPayments(account(environment, "pixprov2", "secret-one"), 1000)
        assert.strictEqual(yield* chosen, first)
        const second = yield* demo.connectPayments(account(environment, "pixprov1", "secret-two"), 2000)
        assert.strictEqual(yield* chosen, second)
        // A repeated connection gets new secrets under its old id, and becomes the latest.
        assert.strictEqual(yield* demo.connectPayments(account(environment, "pixprov2", "secret-three"), 3000), first)
        const renewed = yield* connections.selected(environment)
        assert.strictEqual(renewed?.credential && Redacted.value(renewed.credential), "secret-three")
        yield* sql`update provider_connections set selected_at = now() where id = ${second}`
        assert.strictEqual(yield* chosen, second)
        yield* sql`update provider_connections set status = 'disconnected', credential = null where id = ${second}`
        assert.strictEqual(yield* chosen, first)
        // A payment that is bound to it still finds it, without its secret.
        const past = yield* connections.find(environment, second)
        assert.deepStrictEqual([past?.status, past?.credential], ["disconnected", undefined])
      })
  )
})
