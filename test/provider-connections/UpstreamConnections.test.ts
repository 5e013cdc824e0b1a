import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

const path = "/v1/provider-connections"
let count = 0

/** A new production environment, the simulated platform, and an account there with one number. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const simulator = yield* Upstream
  const n = ++count
  const { production } = yield* seedProject(api.acme.organization_id, `upstream-${n}`)
  const { key } = production
  const account = {
    biz_account_id: `77${n}`,
    token: `token-of-account-${n}`,
    numbers: [{ id: `88${n}`, display_phone_number: `+55 11 9000${n}` }],
    templates: []
  }
  simulator.world.add(account)
  const post = (to: string, sent: object, idempotencyKey = `production ${++count}`) =>
    api.post(`${path}${to}`, sent, { key, idempotencyKey })
  return {
    account,
    post,
    simulator,
    get: (from = "") => api.get(`${path}${from}`, { key }),
    register: (more: object = {}) =>
      post("/upstream", {
        display_name: "Shop",
        biz_account_id: account.biz_account_id,
        phone_number_id: account.numbers[0]?.id,
        access_token: account.token,
        ...more
      })
  }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Connections to the platform", (it) => {
  it.effect("are proven there before they are stored M-CONN-24 M-CONN-26 M-CONN-27", () =>
    Effect.gen(function* () {
      const { account, get, register } = yield* stage
      for (const [more, code] of [
        [{ access_token: "foreign-token" }, "upstream_token_foreign_app"],
        [{ access_token: "unknown-token" }, "chatapp_credentials_invalid"],
        [{ biz_account_id: "12345" }, "chatapp_credentials_invalid"],
        [{ phone_number_id: "12345" }, "chatapp_credentials_invalid"]
      ] as const) {
        const { body, status } = yield* register(more)
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, code, "access_token"])
      }
      assert.deepStrictEqual((yield* get()).body.data, [])
      const { body, status, text } = yield* register()
      assert.strictEqual(status, 201, text)
      assert.strictEqual(body.display_phone_number, account.numbers[0]?.display_phone_number)
      const entries = body.biz_account_send_capabilities.map(
        (entry: { readonly biz_account_id: string }) => entry.biz_account_id
      )
      assert.deepStrictEqual(entries, [account.biz_account_id])
    })
  )

  it.effect("refuse a token that proves another account M-CONN-32", () =>
    Effect.gen(function* () {
      const { post, register, simulator } = yield* stage
      const { body: made } = yield* register()
      simulator.world.add({ biz_account_id: "9999", token: "token-of-another", numbers: [], templates: [] })
      const rotate = (access_token: string) => post(`/${made.id}/rotate-token`, { access_token })
      const refused = yield* rotate("token-of-another")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "upstream_identity_enforced"])
      const foreign = yield* rotate("foreign-token")
      assert.deepStrictEqual([foreign.status, foreign.body.error.code], [400, "upstream_token_foreign_app"])
      simulator.world.add({ biz_account_id: made.biz_account_id, token: "a-second-token", numbers: [], templates: [] })
      const rotated = yield* rotate("a-second-token")
      assert.deepStrictEqual([rotated.status, rotated.body.credential_last_four], [200, "oken"])
    })
  )

  it.effect("are made from a code once, by the one account that it proves M-CONN-25 M-CONN-28", () =>
    Effect.gen(function* () {
      const first = yield* stage
      const code = `code:${first.account.biz_account_id}`
      const { body, status, text } = yield* first.post("/upstream/oauth", { code })
      assert.strictEqual(status, 201, text)
      assert.deepStrictEqual(
        [body.biz_account_id, body.phone_number_id, body.token_source, body.status],
        [first.account.biz_account_id, first.account.numbers[0]?.id, "embedded_signup", "connected"]
      )
      assert.isString(body.token_expires_at)
      // The second use of the code is in an environment without a connection.
      const second = yield* stage
      const replayed = yield* second.post("/upstream/oauth", { code })
      assert.deepStrictEqual([replayed.status, replayed.body.error.code], [400, "chatapp_credentials_invalid"])
      assert.deepStrictEqual((yield* second.get()).body.data, [])
    })
  )

  it.effect("stay pending without an account when a code proves several M-CONN-20 M-CONN-21 M-CONN-29", () =>
    Effect.gen(function* () {
      const { account, get, post, simulator } = yield* stage
      simulator.world.add({ biz_account_id: "5550", token: "t-5550", numbers: [], templates: [] })
      const refused = yield* post("/upstream/oauth", { code: `code:${account.biz_account_id},5550` })
      const { code, details } = refused.body.error
      assert.deepStrictEqual([refused.status, code], [400, "upstream_biz_account_missing"])
      const id = details.provider_connection_id
      const complete = (sent: object) => post(`/${id}/complete-pending`, sent)
      const wrong = yield* complete({ biz_account_id: "1" })
      assert.deepStrictEqual([wrong.status, wrong.body.error.code], [400, "chatapp_credentials_invalid"])
      assert.strictEqual((yield* get(`/${id}`)).body.status, "pending")
      const done = yield* complete({ biz_account_id: account.biz_account_id })
      assert.deepStrictEqual([done.status, done.body.status], [200, "connected"], done.text)
      assert.strictEqual(done.body.biz_account_send_capabilities.length, 2)
    })
  )

  it.effect(
    'answer 502 while the platform is down, and keep the token of an exchanged code gaps-2 L "Token checks"',
    () =>
      Effect.gen(function* () {
        const { account, get, post, register, simulator } = yield* stage
        const server = simulator.faults
        server.set([{ name: "accounts_down" }], undefined)
        const refused = yield* register()
        assert.deepStrictEqual([refused.status, refused.body.error.type], [502, "provider_error"])
        assert.deepStrictEqual((yield* get()).body.data, [])
        const broken = yield* post("/upstream/oauth", { code: `code:${account.biz_account_id}` })
        assert.deepStrictEqual([broken.status, broken.body.error.code], [502, "provider_error"])
        server.set([], undefined)
        const id = broken.body.error.details.provider_connection_id
        assert.strictEqual((yield* get(`/${id}`)).body.status, "pending")
        const done = yield* post(`/${id}/complete-pending`, {})
        assert.deepStrictEqual([done.status, done.body.status], [200, "connected"], done.text)
      })
  )
})
