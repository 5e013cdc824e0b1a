import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/v1/provider-connections/upstream/signup-sessions"
const return_url = "http://localhost:4020/connected?from=signup"
let projects = 0

const stage = Effect.fnUntraced(function* (kind: "sandbox" | "production" = "sandbox") {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `signup-${++projects}`)
  const environment = project[kind]
  const { key } = environment
  const create = (body: object = {}, idempotencyKey?: string) =>
    api.post(path, { return_url, ...body }, idempotencyKey === undefined ? { key } : { key, idempotencyKey })
  const complete = (id: string, token: string | undefined, body: object = { code: "a-code" }) =>
    api.post(`${path}/${id}/complete`, body, token === undefined ? {} : { key: token })
  return { api, environment, key, project, create, complete, read: (id: string) => api.get(`${path}/${id}`, { key }) }
})

const tokenOf = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get("token") ?? ""

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Signup sessions", (it) => {
  it.effect("show their address in the response to their creation, and on no read M-SIGN-01..05", () =>
    Effect.gen(function* () {
      const { api, create, environment, key, read } = yield* stage()
      const made = yield* create({ end_customer_ref: "customer-42" }, "make")
      assert.strictEqual(made.status, 201, made.text)
      const { trace_id: _, url, ...session } = made.body
      assert.match(session.id, /^mss_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepStrictEqual(session, {
        id: session.id,
        object: "upstream_signup_session",
        status: "pending",
        return_url,
        end_customer_ref: "customer-42",
        project_id: environment.project_id,
        environment_id: environment.id,
        environment: "sandbox",
        expires_at: "2026-01-01T00:30:00.000Z",
        completed_at: null,
        provider_connection_id: null,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z"
      })
      assert.strictEqual(url.split("#")[0], `http://127.0.0.1:8080/dashboard/connect/${session.id}`)
      assert.isAbove(tokenOf(url).length, 40)
      assert.strictEqual((yield* create({ end_customer_ref: "customer-42" }, "make")).text, made.text)
      const read1 = yield* read(session.id)
      assert.deepStrictEqual({ ...read1.body, trace_id: 0 }, { ...session, url: null, trace_id: 0 })
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly all: string }>`select s::text as all from upstream_signup_sessions s
        where id = ${session.id}`
      assert.notInclude(row?.all, tokenOf(url))
      for (const id of [session.id, "mss_0b6ff1ae-5f5e-4c5e-9d5a-3f1d6c1c2b7e", "mss_1", "nonsense"]) {
        const refused = yield* api.get(`${path}/${id}`, { key: id === session.id ? api.other.sandbox.key : key })
        assert.deepStrictEqual([refused.status, refused.body.error.code], [404, "upstream_signup_session_not_found"])
      }
    })
  )

  it.effect("redirect to allowed origins only, by https or to this machine in a sandbox M-SIGN-05", () =>
    Effect.gen(function* () {
      const sandbox = yield* stage()
      const production = yield* stage("production")
      const fine = "https://app.example.com/back"
      for (const [at, return_url, end_customer_ref, param] of [
        [sandbox, undefined, undefined, "return_url"],
        [sandbox, 7, undefined, "return_url"],
        [sandbox, "nowhere", undefined, "return_url"],
        [sandbox, "https://evil.example/back", undefined, "return_url"],
        [sandbox, "https://app.example.com.evil.example/", undefined, "return_url"],
        [sandbox, "http://app.example.com/back", undefined, "return_url"],
        [sandbox, "https://user:word@app.example.com/back", undefined, "return_url"],
        [sandbox, `https://app.example.com/${"x".repeat(2048)}`, undefined, "return_url"],
        [sandbox, "javascript:alert(1)", undefined, "return_url"],
        [production, "http://localhost:4020/back", undefined, "return_url"],
        [sandbox, fine, "", "end_customer_ref"],
        [sandbox, fine, "x".repeat(201), "end_customer_ref"]
      ] as const) {
        const { body, status, text } = yield* at.create({ return_url, end_customer_ref })
        const told = [status, body.error?.code, body.error?.param]
        assert.deepStrictEqual(told, [400, "invalid_signup_session_request", param], `${return_url} ${text}`)
      }
      for (const at of [sandbox, production]) {
        const { status, text } = yield* at.create({ return_url: fine, end_customer_ref: "x".repeat(200) })
        assert.strictEqual(status, 201, text)
      }
    })
  )

  it.effect("are refused where a live account is connected in production M-SIGN-07", () =>
    Effect.gen(function* () {
      const { create, environment } = yield* stage("production")
      const sql = yield* SqlClient.SqlClient
      const at = new Date("2026-01-01T00:00:00Z")
      yield* sql`insert into provider_connections (environment_id, id, environment, provider, channel, status,
          display_name, created_at, updated_at) values (${environment.id}, 'pcn_live', 'production', 'upstream',
          'chatapp', 'suspended', 'x', ${at}, ${at})`
      const refused = yield* create({ return_url: "https://app.example.com/" })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "upstream_connection_already_exists"])
    })
  )

  it.effect(
    "are completed by the launch token once, and answer a repeated completion alike; one event tells it M-SIGN-10 M-SIGN-11 M-SIGN-12",
    () =>
      Effect.gen(function* () {
        const { api, complete, create, key, read } = yield* stage()
        const made = (yield* create({ end_customer_ref: "ref" })).body
        const token = tokenOf(made.url)
        const fields = { code: "a-code", display_name: "Loja", biz_account_id: "77", phone_number_id: "88" }
        const done = yield* complete(made.id, token, fields)
        assert.strictEqual(done.status, 200, done.text)
        assert.deepStrictEqual([done.body.status, done.body.url], ["completed", null])
        const again = yield* complete(made.id, token, { code: "another" })
        assert.deepStrictEqual({ ...again.body, trace_id: 0 }, { ...done.body, trace_id: 0 })
        assert.strictEqual(again.status, 200)
        const connection = yield* api.get(`/v1/provider-connections/${done.body.provider_connection_id}`, { key })
        const { biz_account_id, display_name, phone_number_id, token_source } = connection.body
        assert.deepStrictEqual([biz_account_id, phone_number_id, display_name], ["77", "88", "Loja"])
        assert.strictEqual(token_source, "embedded_signup")
        yield* quiesce
        const listened = yield* api.get("/v1/webhook-events/listen?event_type=upstream_signup_session.completed", {
          key
        })
        assert.strictEqual(listened.body.data.length, 1, listened.text)
        const { data } = listened.body.data[0].payload ?? listened.body.data[0]
        const { trace_id: _, url: __, ...shown } = (yield* read(made.id)).body
        assert.deepStrictEqual(data, shown)
      })
  )

  it.effect("refuse a wrong bearer, and every bearer once the key that made them is revoked M-SIGN-08", () =>
    Effect.gen(function* () {
      const { api, complete, create, environment, key } = yield* stage()
      const made = (yield* create()).body
      const token = tokenOf(made.url)
      const invalid = [401, "invalid_upstream_signup_session_token"]
      for (const [id, bearer, body] of [
        [made.id, undefined, {}],
        [made.id, key, {}],
        [made.id, `${token}x`, { code: "c" }],
        [made.id, "x".repeat(43), { code: "c" }],
        // A wrong bearer is refused before the body is read. gaps-2 A "Check order on every doc-2 route"
        [made.id, "x".repeat(43), "no json"],
        ["mss_0b6ff1ae-5f5e-4c5e-9d5a-3f1d6c1c2b7e", token, { code: "c" }],
        ["nonsense", token, { code: "c" }]
      ] as const) {
        const refused = yield* complete(id, bearer, body as object)
        assert.deepStrictEqual([refused.status, refused.body.error.code], invalid)
      }
      const sql = yield* SqlClient.SqlClient
      yield* sql`update api_keys set expires_at = ${new Date("2025-12-31T00:00:00Z")} where id = ${environment.key_id}`
      assert.deepStrictEqual((yield* complete(made.id, token)).body.error.code, invalid[1])
      yield* sql`update api_keys set expires_at = null where id = ${environment.key_id}`
      const other = (yield* api.post("/v1/api-keys", { name: "other", environment: "sandbox", scopes: [] }, { key }))
        .body
      assert.isString(other.id)
      yield* sql`update api_keys set status = 'revoked', revoked_at = now() where id = ${environment.key_id}`
      const revoked = yield* complete(made.id, token)
      assert.deepStrictEqual([revoked.status, revoked.body.error.code], invalid)
    })
  )

  it.effect("expire after half an hour, which only the bearer learns M-SIGN-06 M-SIGN-09 M-LIM-01", () =>
    Effect.gen(function* () {
      const { complete, create, read } = yield* stage()
      const made = (yield* create()).body
      yield* turnBy(30 * 60_000 - 1)
      assert.strictEqual((yield* read(made.id)).body.status, "pending")
      yield* turnBy(1)
      assert.strictEqual((yield* read(made.id)).body.status, "expired")
      const refused = yield* complete(made.id, tokenOf(made.url))
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "upstream_signup_session_expired"])
      const wrong = yield* complete(made.id, "x".repeat(43))
      assert.deepStrictEqual([wrong.status, wrong.body.error.code], [401, "invalid_upstream_signup_session_token"])
    })
  )

  it.effect(
    'stay pending after a refusal, and refuse bodies by their field gaps-2 L "Signup sessions and onboarding"',
    () =>
      Effect.gen(function* () {
        const { complete, create, read } = yield* stage()
        const made = (yield* create()).body
        const token = tokenOf(made.url)
        for (const [body, status, code, param] of [
          [{}, 400, "invalid_signup_session_request", "code"],
          [{ code: "c", surplus: 1 }, 400, "invalid_signup_session_request", "surplus"],
          [{ code: "invalid" }, 400, "chatapp_credentials_invalid", "code"],
          [{ code: "unproven_code" }, 400, "upstream_biz_account_missing", "biz_account_id"]
        ] as const) {
          const refused = yield* complete(made.id, token, body)
          assert.deepStrictEqual(
            [refused.status, refused.body.error.code, refused.body.error.param],
            [status, code, param],
            refused.text
          )
          assert.strictEqual((yield* read(made.id)).body.status, "pending")
        }
        assert.strictEqual((yield* complete(made.id, token)).status, 200)
      })
  )

  it.effect(
    "are also completed by the code route, by their UUID or whole id gaps-2 L \"signup_session_id is a UUID, ids start with 'mss_'\"",
    () =>
      Effect.gen(function* () {
        const oauth = (at: { readonly key: string }, body: object) =>
          Effect.flatMap(Api, ({ post }) => post("/v1/provider-connections/upstream/oauth", body, at))
        for (const shown of [(id: string) => id, (id: string) => id.slice(4)]) {
          const { create, key, read } = yield* stage()
          const { api } = yield* stage()
          const made = (yield* create()).body
          const foreign = yield* oauth({ key: api.other.sandbox.key }, { code: "c", signup_session_id: shown(made.id) })
          assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "upstream_signup_session_not_found"])
          const done = yield* oauth({ key }, { code: "c", signup_session_id: shown(made.id) })
          assert.strictEqual(done.status, 201, done.text)
          const session = (yield* read(made.id)).body
          assert.deepStrictEqual([session.status, session.provider_connection_id], ["completed", done.body.id])
          const again = yield* oauth({ key }, { code: "d", signup_session_id: shown(made.id) })
          const code = "upstream_signup_session_already_completed"
          assert.deepStrictEqual([again.status, again.body.error.code], [409, code])
        }
        const { create, key } = yield* stage()
        const late = (yield* create()).body
        yield* turnBy(30 * 60_000)
        const refused = yield* oauth({ key }, { code: "c", signup_session_id: late.id })
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "upstream_signup_session_expired"])
      })
  )

  it.effect("have a page of their own, whose only script is ours and whose content needs the token", () =>
    Effect.gen(function* () {
      const { api, create } = yield* stage()
      const made = (yield* create()).body
      const page = new URL(made.url).pathname
      const shown = yield* api.get(page)
      assert.strictEqual(shown.status, 200)
      const policy = shown.headers["content-security-policy"] ?? ""
      assert.include(policy, "script-src 'self'")
      assert.notInclude(policy, "unsafe")
      const scripts = [...shown.text.matchAll(/<script src="([^"]*)" defer>/g)].map(([, address]) => address ?? "")
      assert.deepStrictEqual(
        scripts.map((address) => address.split("?")[0]),
        ["/dashboard/scripts/connect.js"]
      )
      assert.lengthOf(shown.text.match(/<script/g) ?? [], 1)
      assert.notInclude(shown.text, "customer")
      const script = yield* api.get(scripts[0] ?? "")
      assert.deepStrictEqual([script.status, script.headers["content-type"]], [200, "text/javascript; charset=utf-8"])
      const refused = yield* api.post(`${page}/launch`, {}, { key: "x".repeat(43) })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "invalid_upstream_signup_session_token"])
      const launch = yield* api.post(`${page}/launch`, {}, { key: tokenOf(made.url) })
      assert.deepStrictEqual(
        [launch.status, launch.body.status, launch.body.simulated, launch.body.return_url],
        [200, "pending", true, return_url]
      )
      assert.strictEqual((yield* api.get("/dashboard/connect/nonsense")).status, 404)
    })
  )
})

// A second completion waits for the first on the machine's clock.
it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("Signup sessions", (it) => {
  it.effect("are completed by one of many concurrent calls, and the others get its result M-SIGN-10", () =>
    Effect.gen(function* () {
      const { api, complete, create, key } = yield* stage()
      const made = (yield* create()).body
      const token = tokenOf(made.url)
      const answers = yield* Effect.forEach(["one", "two", "three"], (code) => complete(made.id, token, { code }), {
        concurrency: "unbounded"
      })
      const connections = (yield* api.get("/v1/provider-connections", { key })).body.data
      assert.strictEqual(connections.length, 1)
      for (const { body, status, text } of answers) {
        if (status === 200) assert.strictEqual(body.provider_connection_id, connections[0].id)
        else assert.deepStrictEqual([status, body.error.code], [409, "upstream_signup_session_already_completed"], text)
      }
      assert.isTrue(answers.some(({ status }) => status === 200))
    })
  )
})

const settings = {
  CARTEIRO_UPSTREAM_APP_ID: "app-1",
  CARTEIRO_UPSTREAM_APP_SECRET: "app-secret",
  CARTEIRO_UPSTREAM_SIGNUP_CONFIG_ID: "config-1",
  CARTEIRO_UPSTREAM_SDK_URL: "https://sdk.platform.example/sdk.js"
}

it.layer(WholeProduct({ sweeps: false, settings }), { excludeTestServices: true })(
  "The onboarding configuration",
  (it) => {
    it.effect("shows what an embedded signup needs, and never the secret M-CONN-35 M-CONN-36 M-CONN-37", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const config = yield* get("/v1/provider-connections/upstream/onboarding-config", { key: acme.production.key })
        const { login_options, trace_id: _, ...rest } = config.body
        assert.deepStrictEqual(rest, {
          object: "upstream_onboarding_config",
          mode: "embedded_signup",
          app_id: "app-1",
          config_id: "config-1",
          graph_api_version: "v23.0",
          sdk_url: "https://sdk.platform.example/sdk.js",
          allowed_message_origins: ["https://www.facebook.com", "https://web.facebook.com"],
          message_type: "WA_EMBEDDED_SIGNUP",
          completion_endpoint: "/v1/provider-connections/upstream/oauth",
          manual_credentials_endpoint: "/v1/provider-connections/upstream"
        })
        assert.strictEqual(login_options.config_id, "config-1")
        assert.notInclude(config.text, "app-secret")
      })
    )
  }
)
