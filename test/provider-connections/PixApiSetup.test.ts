import { DemoConnection, PaymentsConnections } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { simulatedBank } from "../support/PixApi.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import {
  institutionCredentials as credentials,
  institutionsOver,
  laterCertificate,
  institutions as vendors
} from "./InstitutionAccount.ts"
import { setupStage as stage } from "./SetupStage.ts"

it.layer(WholeProduct({ sweeps: false, vendors }), { excludeTestServices: true })(
  "Credentials of an account at an institution",
  (it) => {
    it.effect(
      'are sealed as one, shown never, and prove notices by a path that only the institution is told gaps-2 L "Credential storage"',
      () =>
        Effect.gen(function* () {
          const { api, create, decide, environment, key, owner } = yield* stage()
          const { id } = (yield* create("pixprov2.payments")).body
          const done = yield* decide(owner, id, "complete", { credentials })
          assert.deepStrictEqual([done.status, done.body.status], [200, "completed"], done.text)
          const connection = yield* api.get(`/v1/provider-connections/${done.body.provider_connection_id}`, { key })
          const { credential_last_four, driver, payment_capabilities, webhook_secret_configured } = connection.body
          assert.deepStrictEqual(
            [driver, credential_last_four, payment_capabilities, webhook_secret_configured],
            ["pix-api", null, { pix: true, hosted_checkout: false }, true]
          )
          for (const secret of [credentials.client_secret, credentials.certificate_pkcs12_base64]) {
            assert.notInclude(`${done.text}${connection.text}`, secret)
          }
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ readonly shown: string }>`select encode(credential, 'escape') as shown
            from provider_connections where id = ${done.body.provider_connection_id}`
          assert.notInclude(row?.shown, "shop")
          const found = yield* (yield* PaymentsConnections).find(environment.id, done.body.provider_connection_id)
          assert.strictEqual(found?.driver, "pix-api")
          const opened = JSON.parse(found?.credential === undefined ? "{}" : Redacted.value(found.credential))
          assert.deepStrictEqual({ driver: "pix-api", ...opened }, credentials)
          assert.match(found?.webhook_secret === undefined ? "" : Redacted.value(found.webhook_secret), /^[\w-]{43,}$/)
        })
    )

    it.effect("stay when the demonstration is seeded again, whose own account another vendor has", () =>
      Effect.gen(function* () {
        const { create, decide, environment, owner } = yield* stage()
        const { id } = (yield* create("pixprov2.payments")).body
        const { provider_connection_id } = (yield* decide(owner, id, "complete", { credentials })).body
        const connections = yield* PaymentsConnections
        const before = yield* connections.find(environment.id, provider_connection_id)
        const demonstration = {
          environment_id: environment.id,
          environment: environment.kind,
          provider: "pixprov2",
          channel: "payments",
          display_name: "Demo",
          api_key: "key of the demonstration"
        } as const
        const seeded = yield* (yield* DemoConnection).connectPayments(demonstration, 1000)
        assert.strictEqual(seeded, provider_connection_id)
        const after = yield* connections.find(environment.id, provider_connection_id)
        assert.strictEqual(after?.driver, "pix-api")
        const shown = (of: typeof after) =>
          [of?.credential, of?.webhook_secret].map((one) => one && Redacted.value(one))
        assert.deepStrictEqual(shown(after), shown(before))
      })
    )

    it.effect(
      "may get another certificate: the connection and the address of its notices stay, and only the new one is held",
      () =>
        Effect.gen(function* () {
          const { create, decide, environment, owner } = yield* stage()
          const connections = yield* PaymentsConnections
          const enter = Effect.fnUntraced(function* (certificate: object) {
            const { id } = (yield* create("pixprov2.payments")).body
            const done = yield* decide(owner, id, "complete", { credentials: { ...credentials, ...certificate } })
            assert.strictEqual(done.status, 200, done.text)
            const { provider_connection_id } = done.body
            const found = yield* connections.find(environment.id, provider_connection_id)
            const shown = (secret = Redacted.make("")) => Redacted.value(secret)
            return [provider_connection_id, shown(found?.webhook_secret), shown(found?.credential)] as const
          })
          const before = yield* enter({})
          yield* turnBy(1000)
          const after = yield* enter(laterCertificate)
          assert.deepStrictEqual(after.slice(0, 2), before.slice(0, 2))
          assert.include(after[2], laterCertificate.certificate_pkcs12_base64)
          assert.notInclude(after[2], credentials.certificate_pkcs12_base64)
        })
    )

    it.effect("are refused with the field that is wrong, and an account of another protocol is not replaced", () =>
      Effect.gen(function* () {
        const { create, decide, owner } = yield* stage()
        const { id } = (yield* create("pixprov2.payments")).body
        const paramOf = (more: object) =>
          Effect.map(
            decide(owner, id, "complete", { credentials: { ...credentials, ...more } }),
            ({ body, status }) => [status, body.error?.code, body.error?.param]
          )
        for (const [field, value] of [
          ["driver", "another"],
          ["base_url", "http://pix.example.com"],
          ["base_url", "https://10.0.0.1/api"],
          ["certificate_password", "another"],
          ["certificate_pkcs12_base64", "AAAA"],
          ["pix_key", ""]
        ]) {
          const refused = [400, "invalid_setup_session_request", `credentials.${field}`]
          assert.deepStrictEqual(yield* paramOf({ [field as string]: value }), refused, field)
        }
        assert.strictEqual((yield* paramOf({}))[0], 200)
        const second = (yield* create("pixprov2.payments")).body.id
        const keyed = yield* decide(owner, second, "complete", { credentials: { api_key: "a-key-of-another" } })
        assert.deepStrictEqual([keyed.status, keyed.body.error.param], [400, "credentials.driver"])
      })
    )
  }
)

class Bank extends Context.Service<Bank, Effect.Success<typeof simulatedBank>>()(
  "@carteiro/test/provider-connections/Bank"
) {}

const overBank = Layer.unwrap(
  Effect.map(simulatedBank, (bank) =>
    WholeProduct({ sweeps: false, vendors: institutionsOver(bank.calls) }).pipe(
      Layer.provideMerge(Layer.succeed(Bank, bank))
    )
  )
)

it.layer(overBank, { excludeTestServices: true })("Credentials that an institution refuses", (it) => {
  it.effect(
    'are refused while they are entered, with their field and what to do, and connect nothing gaps-2 L "Credential storage"',
    () =>
      Effect.gen(function* () {
        const { credential, simulator } = yield* Bank
        const { api, create, decide, key, owner } = yield* stage("production")
        const { id } = (yield* create("pixprov2.payments")).body
        const entered = (more: object) =>
          decide(owner, id, "complete", { credentials: { driver: "pix-api", ...credential, ...more } })
        for (const wrong of [{ client_secret: "another" }, { client_id: "another" }]) {
          const { body, status } = yield* entered(wrong)
          assert.deepStrictEqual(
            [status, body.error.code, body.error.param, body.error.message],
            [
              400,
              "invalid_setup_session_request",
              "credentials.client_secret",
              "The institution refuses client_id and client_secret; copy both from its page of applications."
            ]
          )
        }
        simulator.faults.set([{ name: "unavailable", operation: "token", times: 1 }], 1)
        const silent = (yield* entered({})).body.error
        assert.deepStrictEqual([silent.param, typeof silent.message], ["credentials.base_url", "string"])
        const pathless = (yield* entered({ base_url: `${simulator.url}/api/v3` })).body.error
        assert.deepStrictEqual(
          [pathless.code, pathless.param, pathless.message],
          [
            "invalid_setup_session_request",
            "credentials.base_url",
            "At base_url is no API Pix: GET /cob below it is answered 404 without a list of charges. Enter the institution's base URL with its version, such as https://pix.example.com/api/v2."
          ]
        )
        simulator.faults.set([{ name: "charge_rejected", operation: "webhook_read", times: 1 }], 1)
        assert.strictEqual((yield* entered({})).body.error.param, "credentials.pix_key")
        const malformed = (yield* entered({ pix_key: "529.982.247-25" })).body.error
        assert.deepStrictEqual(
          [malformed.param, malformed.message],
          [
            "credentials.pix_key",
            "pix_key must be a Pix key: the digits of a CPF or a CNPJ, a phone such as +5511987654321, an e-mail address, or a random key."
          ]
        )
        assert.deepStrictEqual((yield* api.get("/v1/provider-connections", { key })).body.data, [])
        // The proof is a token and two reads; nothing was charged or registered.
        const operations = simulator.log.read(0, null).map(({ kind }) => kind)
        assert.deepStrictEqual([...new Set(operations)].sort(), ["checkout_lookup", "token", "webhook_read"])
        assert.strictEqual((yield* entered({})).body.status, "completed")
      })
  )
})
