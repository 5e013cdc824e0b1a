import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedKey, seedProject, type TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/v1/provider-connections"
const token = "EAA-token-of-the-shop-9876"
const body = { display_name: " Shop ", biz_account_id: "2001", phone_number_id: "1001", access_token: token }

let keys = 0

/** A new environment, and the requests to it. */
const stage = Effect.fnUntraced(function* (kind: "sandbox" | "production" = "sandbox") {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `connections-${++keys}`)
  const environment: TestEnvironment = project[kind]
  const { key } = environment
  const post = (to: string, sent: unknown = {}, idempotencyKey = `key ${++keys}`) =>
    api.post(`${path}${to}`, sent, { key, idempotencyKey })
  return {
    api,
    environment,
    key,
    post,
    get: (from = "") => api.get(`${path}${from}`, { key }),
    register: (more: object = {}, idempotencyKey?: string) => post("/upstream", { ...body, ...more }, idempotencyKey)
  }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Provider connections", (it) => {
  it.effect("are registered, read and listed without their credential M-CONN-01..08 M-CONN-14..17 M-CONN-24", () =>
    Effect.gen(function* () {
      const { environment, get, post, register } = yield* stage()
      const made = yield* register({ token_expires_at: "2027-01-01T03:00:00+03:00", surplus: "is ignored" })
      assert.strictEqual(made.status, 201, made.text)
      const { trace_id: _, ...connection } = made.body
      assert.deepStrictEqual(connection, {
        id: connection.id,
        object: "provider_connection",
        provider: "upstream",
        channel: "chatapp",
        status: "connected",
        display_name: "Shop",
        environment: "sandbox",
        biz_account_id: "2001",
        phone_number_id: "1001",
        display_phone_number: null,
        social_business_account_id: null,
        page_id: null,
        provider_account_id: null,
        payment_receiver: null,
        payment_capabilities: null,
        agentic_capabilities: null,
        default_participant_id: null,
        agent_id: null,
        agentic_api_base_url: null,
        webhook_secret_configured: false,
        suspension_reason: null,
        last_policy_warning_type: null,
        last_policy_warning_at: null,
        // No capability was observed, which never counts as available. M-CONN-09
        send_capability: null,
        send_block_codes: null,
        send_capability_observed_at: null,
        biz_account_send_capabilities: connection.biz_account_send_capabilities,
        biz_account_ban_date: null,
        biz_account_ban_state: null,
        account_review_status: null,
        restrictions: null,
        credential_last_four: "9876",
        token_source: "manual",
        token_expires_at: "2027-01-01T00:00:00.000Z",
        token_refreshed_at: connection.created_at,
        token_rotated_at: null,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
        disconnected_at: null
      })
      assert.match(connection.id, /^pcn_/)
      const read = yield* get(`/${connection.id}`)
      assert.deepStrictEqual({ ...read.body, trace_id: 0 }, { ...connection, trace_id: 0 })
      const listed = yield* get("?provider=upstream&channel=chatapp&status=connected")
      assert.deepStrictEqual(listed.body.data, [connection])
      assert.deepStrictEqual((yield* get("?status=pending")).body.data, [])
      assert.deepStrictEqual((yield* get("?provider=pixprov1")).body.data, [])
      for (const { text } of [made, read, listed]) assert.notInclude(text, token)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly all: string }>`select p::text as all from provider_connections p
        where environment_id = ${environment.id}`
      assert.notInclude(rows[0]?.all, Buffer.from(token).toString("hex"))
      for (const [query, param] of [
        ["?status=open", "status"],
        ["?provider=numprov", "provider"],
        ["?channel=sms", "channel"],
        ["?limit=0", "limit"],
        ["?name=x", "name"]
      ]) {
        const { body: refused, status } = yield* get(query)
        assert.deepStrictEqual([status, refused.error.code, refused.error.param], [400, "invalid_query", param])
      }
      yield* post(`/${connection.id}/disconnect`)
    })
  )

  it.effect("need an idempotency key to be registered and rotated, and replay their response M-CONN-34 A-IDEM-10", () =>
    Effect.gen(function* () {
      const { api, get, key, register } = yield* stage()
      for (const to of ["/upstream", "/pcn_01kah7v3m8q6x2r9d4t5w0y1z3/rotate-token"]) {
        for (const idempotencyKey of [undefined, " "]) {
          const options = idempotencyKey === undefined ? { key } : { key, idempotencyKey }
          const { body: refused, status } = yield* api.post(`${path}${to}`, body, options)
          assert.deepStrictEqual([status, refused.error.code], [400, "idempotency_key_required"])
        }
      }
      const first = yield* register({}, "the same")
      const again = yield* register({}, "the same")
      assert.deepStrictEqual([again.status, again.text], [201, first.text])
      const other = yield* register({ display_name: "Other" }, "the same")
      assert.deepStrictEqual([other.status, other.body.error.code], [409, "idempotency_key_conflict"])
      const second = yield* register()
      assert.deepStrictEqual([second.status, second.body.error.code], [409, "upstream_connection_already_exists"])
      assert.strictEqual((yield* get()).body.data.length, 1)
      // Another channel may have a live connection of its own.
      const social = yield* register({ channel: "socialapp", page_id: "77", biz_account_id: null })
      assert.deepStrictEqual([social.status, social.body.channel, social.body.page_id], [201, "socialapp", "77"])
    })
  )

  it.effect("refuse bodies that break the contract by their code and field M-CONN-30", () =>
    Effect.gen(function* () {
      const { post, register } = yield* stage()
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ display_name: undefined }, "display_name"],
        [{ display_name: " " }, "display_name"],
        [{ display_name: "x".repeat(256) }, "display_name"],
        [{ access_token: undefined }, "access_token"],
        [{ access_token: "" }, "access_token"],
        [{ access_token: "x".repeat(4097) }, "access_token"],
        [{ channel: "payments" }, "channel"],
        [{ token_source: "oauth" }, "token_source"],
        [{ token_expires_at: "tomorrow" }, "token_expires_at"],
        [{ biz_account_id: undefined }, "biz_account_id"],
        [{ phone_number_id: null }, "phone_number_id"],
        [{ channel: "socialapp" }, "social_business_account_id"]
      ]
      for (const [more, param] of cases) {
        const { body: refused, status, text } = yield* register(more)
        const told = [status, refused.error.type, refused.error.code, refused.error.param]
        assert.deepStrictEqual(told, [400, "validation_error", "invalid_provider_connection_request", param], text)
      }
      const { body: made } = yield* register()
      for (const [sent, param] of [
        [{}, "access_token"],
        [{ access_token: 7 }, "access_token"],
        [{ access_token: "next", token_expires_at: 1 }, "token_expires_at"],
        [{ access_token: "next", other: 1 }, "other"]
      ] as const) {
        const { body: refused, status } = yield* post(`/${made.id}/rotate-token`, sent)
        const told = [status, refused.error.code, refused.error.param]
        assert.deepStrictEqual(told, [400, "invalid_provider_connection_token_rotation", param])
      }
      for (const [to, sent, param] of [
        ["/upstream/oauth", {}, "code"],
        ["/upstream/oauth", { code: "c", signup_session_id: "mss_1" }, "signup_session_id"],
        [`/${made.id}/complete-pending`, { biz_account_id: 1 }, "biz_account_id"],
        [`/${made.id}/complete-pending`, { other: 1 }, "other"]
      ] as const) {
        const { body: refused, status } = yield* post(to, sent)
        const told = [status, refused.error.code, refused.error.param]
        assert.deepStrictEqual(told, [400, "invalid_provider_connection_request", param])
      }
    })
  )

  it.effect(
    'accept tokens in a sandbox by their beginning, without any call M-CONN-26 M-CONN-27 gaps-2 L "Token checks"',
    () =>
      Effect.gen(function* () {
        const { post, register } = yield* stage()
        for (const [access_token, code] of [
          ["foreign_token", "upstream_token_foreign_app"],
          ["invalid", "chatapp_credentials_invalid"]
        ]) {
          const { body: refused, status } = yield* register({ access_token })
          assert.deepStrictEqual([status, refused.error.code, refused.error.param], [400, code, "access_token"])
          const exchanged = yield* post("/upstream/oauth", { code: access_token })
          assert.deepStrictEqual([exchanged.status, exchanged.body.error.code], [400, code])
        }
      })
  )

  it.effect("rotate upstream tokens of live connections only M-CONN-31", () =>
    Effect.gen(function* () {
      const { environment, get, post, register } = yield* stage()
      const sql = yield* SqlClient.SqlClient
      const { body: made } = yield* register()
      const rotate = (access_token: string) => post(`/${made.id}/rotate-token`, { access_token })
      const rotated = yield* rotate("the-next-token-5555")
      const { credential_last_four, status, token_rotated_at } = rotated.body
      assert.deepStrictEqual([rotated.status, status, credential_last_four], [200, "connected", "5555"])
      assert.isString(token_rotated_at)
      for (const [token, code] of [
        ["foreign_x", "upstream_token_foreign_app"],
        ["invalid", "chatapp_credentials_invalid"]
      ] as const) {
        const { body: refused, status } = yield* rotate(token)
        assert.deepStrictEqual([status, refused.error.code, refused.error.param], [400, code, "access_token"])
      }
      // A rotation connects a suspended connection again.
      yield* sql`update provider_connections set status = 'suspended', suspension_reason = 'account_locked'
        where environment_id = ${environment.id}`
      const lifted = (yield* rotate("one-more-token-4444")).body
      assert.deepStrictEqual([lifted.status, lifted.suspension_reason], ["connected", null])

      const over = yield* post(`/${made.id}/disconnect`)
      assert.deepStrictEqual([over.status, over.body.status], [200, "disconnected"])
      assert.isString(over.body.disconnected_at)
      const again = yield* post(`/${made.id}/disconnect`)
      assert.deepStrictEqual({ ...again.body, trace_id: 0 }, { ...over.body, trace_id: 0 })
      const [row] = yield* sql`select credential, webhook_secret from provider_connections
        where environment_id = ${environment.id}`
      assert.deepStrictEqual(row, { credential: null, webhook_secret: null })
      const refused = yield* rotate("too-late-token")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "provider_connection_not_rotatable"])
      assert.strictEqual((yield* get(`/${made.id}`)).body.status, "disconnected")
      // The environment may have another live connection now.
      assert.strictEqual((yield* register()).status, 201)
    })
  )

  it.effect(
    "stay pending when a code proves no account, and are completed later M-CONN-20..22 M-CONN-25 M-CONN-28 M-CONN-29",
    () =>
      Effect.gen(function* () {
        const { get, post } = yield* stage()
        const sent = { code: "unproven_code", display_name: "Loja" }
        const refused = yield* post("/upstream/oauth", sent, "missing")
        const { code, details, param } = refused.body.error
        assert.deepStrictEqual([refused.status, code, param], [400, "upstream_biz_account_missing", "biz_account_id"])
        // The refusal had an effect, so it is stored and replayed.
        const replayed = yield* post("/upstream/oauth", sent, "missing")
        assert.deepStrictEqual([replayed.status, replayed.text], [400, refused.text])
        const listed = yield* get("?status=pending")
        const [pending] = listed.body.data
        assert.strictEqual(listed.body.data.length, 1)
        assert.deepStrictEqual([pending.id, pending.token_source], [details.provider_connection_id, "embedded_signup"])
        const status = (yield* get("/status")).body
        assert.strictEqual(status.channels.chatapp.active_mode, "sandbox")

        const complete = (sent: object = {}) => post(`/${pending.id}/complete-pending`, sent)
        const unproven = yield* complete()
        assert.deepStrictEqual([unproven.status, unproven.body.error.code], [400, "chatapp_credentials_invalid"])
        assert.strictEqual((yield* get(`/${pending.id}`)).body.status, "pending")
        const done = yield* complete({ biz_account_id: "2009", phone_number_id: "1009" })
        assert.deepStrictEqual(
          [done.status, done.body.status, done.body.biz_account_id, done.body.phone_number_id],
          [200, "connected", "2009", "1009"]
        )
        const again = yield* complete()
        assert.deepStrictEqual([again.status, again.body.error.code], [409, "provider_connection_not_pending"])
        const second = yield* post("/upstream/oauth", { code: "another" })
        assert.deepStrictEqual([second.status, second.body.error.code], [409, "upstream_connection_already_exists"])
      })
  )

  it.effect("answer one 404 for ids of other environments M-CONN-33", () =>
    Effect.gen(function* () {
      const { api, post, register } = yield* stage()
      const { body: made } = yield* register()
      const { key } = api.other.sandbox
      for (const id of [made.id, "pcn_01kah7v3m8q6x2r9d4t5w0y1z3", "nonsense"]) {
        for (const [to, sent] of [
          [`/${id}/rotate-token`, { access_token: "x" }],
          [`/${id}/complete-pending`, {}],
          [`/${id}/disconnect`, {}]
        ] as const) {
          const answer = yield* api.post(`${path}${to}`, sent, { key, idempotencyKey: `foreign ${to}` })
          assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "provider_connection_not_found"])
        }
        const read = yield* api.get(`${path}/${id}`, { key })
        assert.deepStrictEqual([read.status, read.body.error.code], [404, "provider_connection_not_found"])
      }
      assert.strictEqual((yield* post(`/${made.id}/disconnect`)).status, 200)
    })
  )

  it.effect("show whether each channel is ready, to keys with that scope M-CONN-23", () =>
    Effect.gen(function* () {
      const { api, environment, get } = yield* stage()
      const missing = {
        ready: false,
        status: "missing",
        active_mode: null,
        connection_id: null,
        reasons: ["no_provider_connection"]
      }
      const simulated = { ready: true, status: "ready", active_mode: "sandbox", connection_id: null, reasons: [] }
      const { trace_id: _, ...status } = (yield* get("/status")).body
      assert.deepStrictEqual(status, {
        object: "provider_connection_status",
        environment: "sandbox",
        channels: { chatapp: simulated, socialapp: missing, payments: simulated, agentic_payments: missing }
      })
      const { key } = yield* seedKey(environment, { scopes: ["provider_connections:write"] })
      const refused = yield* api.get(`${path}/status`, { key })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "insufficient_scope"])

      const production = yield* stage("production")
      const { channels } = (yield* production.get("/status")).body
      assert.deepStrictEqual(channels.chatapp, missing)
      const sql = yield* SqlClient.SqlClient
      const at = new Date("2026-01-01T00:00:00Z")
      const insert = (id: string, channel: string, provider: string, status: string, capabilities = "[]") =>
        sql`insert into provider_connections (environment_id, id, environment, provider, channel, status, display_name,
            biz_account_id, biz_account_send_capabilities, created_at, updated_at, connected_at)
          values (${production.environment.id}, ${id}, 'production', ${provider}, ${channel}, ${status}, 'x', '1',
            ${capabilities}, ${at}, ${at}, ${at})`
      const blocked = { biz_account_id: "1", send_capability: "blocked", send_block_codes: ["141011", "141006"] }
      const observed = JSON.stringify([{ ...blocked, observed_at: "2025-12-31T23:00:00.000Z" }])
      yield* insert("pcn_1", "chatapp", "upstream", "connected", observed)
      yield* insert("pcn_2", "socialapp", "upstream", "suspended")
      yield* insert("pcn_3", "payments", "pixprov2", "connected")
      yield* insert("pcn_4", "agentic_payments", "pixprov1", "pending")
      const now = (yield* production.get("/status")).body.channels
      const told = Object.entries(now).map(([name, channel]) => {
        const { active_mode, connection_id, ready, reasons, status } = channel as typeof missing
        return [name, ready, status, active_mode, connection_id, reasons.join()]
      })
      assert.deepStrictEqual(told, [
        [
          "chatapp",
          false,
          "blocked",
          "upstream",
          "pcn_1",
          "upstream_payment_method_required,upstream_messaging_permission_missing"
        ],
        ["socialapp", false, "blocked", "upstream", "pcn_2", "provider_connection_suspended"],
        ["payments", true, "ready", "pixprov2", "pcn_3", ""],
        ["agentic_payments", false, "pending", null, "pcn_4", "provider_connection_pending"]
      ])
    })
  )
})
