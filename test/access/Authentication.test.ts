import { makeSecret, secretBytes } from "@carteiro/runtime/access/ApiKeySecret.ts"
import * as Feedback from "@carteiro/runtime/feedback/Feedback.ts"
import { RouteTable } from "@carteiro/runtime/platform/http/RouteTable.ts"
import { standardRates } from "@carteiro/runtime/platform/ratelimit/RateTable.ts"
import * as Projects from "@carteiro/runtime/projects/Projects.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { settle, turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedProject, seedTenant } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { lockWaiters, until } from "../support/Until.ts"

const doors = Layer.mergeAll(Projects.layer, Feedback.layer)
const unauthenticated = [401, "authentication_error", undefined]
const stranger = makeSecret("sandbox", new Uint8Array(secretBytes).fill(9)).secret

it.layer(ApiTest(doors, Layer.empty), { excludeTestServices: true })("Authentication", (it) => {
  it.effect("is asked for on every route but those of the device flow A-AUTH-01 A-AUTH-03", () =>
    Effect.gen(function* () {
      const { call } = yield* Api
      const table = yield* RouteTable
      for (const route of table.routes()) {
        if (route.kind !== "operation") continue
        const body = route.method === "GET" || route.method === "DELETE" ? undefined : {}
        const answer = yield* call(route.method, route.path.replaceAll(":", ""), body)
        const expected = route.operation.startsWith("deviceAuthorizations.") ? 400 : 401
        assert.strictEqual(answer.status, expected, route.operation)
      }
    })
  )

  it.effect("refuses every key that does not work in the same words A-AUTH-03 A-AUTH-04 A-AUTH-05 A-AUTH-06", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const expired = yield* seedKey(acme.sandbox, { expires_at: now })
      const revoked = yield* seedKey(acme.sandbox)
      yield* sql`update api_keys set status = 'revoked', revoked_at = created_at where id = ${revoked.key_id}`
      const { key } = acme.sandbox
      const flipped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a")
      const headers: ReadonlyArray<Record<string, string | ReadonlyArray<string>>> = [
        {},
        { authorization: "" },
        { authorization: key },
        { authorization: `Basic ${key}` },
        { authorization: "Bearer" },
        { authorization: `Bearer ${flipped}` },
        { authorization: `Bearer ${stranger}` },
        { authorization: `Bearer ${expired.key}` },
        { authorization: `Bearer ${revoked.key}` },
        { authorization: `Bearer ${key} ${key}` },
        { authorization: [`Bearer ${key}`, `Bearer ${key}`] },
        { "x-api-key": key }
      ]
      const messages = new Set<string>()
      for (const each of headers) {
        const answer = yield* get(`/v1/account?api_key=${key}`, { headers: each })
        assert.deepStrictEqual(told(answer), unauthenticated, JSON.stringify(each))
        assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
        messages.add(answer.body.error.message)
      }
      assert.strictEqual(messages.size, 1)
    })
  )

  it.effect("reads the scheme in any case, and a key up to the instant it expires A-AUTH-03", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const now = yield* Clock.currentTimeMillis
      const { key, key_id } = yield* seedKey(acme.sandbox, { expires_at: now + 1000 })
      const read = (scheme: string) => get("/v1/me", { headers: { authorization: `${scheme} ${key}` } })
      yield* turnBy(999)
      for (const scheme of ["Bearer", "bearer", "BEARER "]) assert.strictEqual((yield* read(scheme)).status, 200)
      yield* turnBy(1)
      assert.deepStrictEqual(told(yield* read("Bearer")), unauthenticated)
      const { body } = yield* get(`/v1/api-keys/${key_id}`, { key: acme.sandbox.key })
      assert.deepStrictEqual([body.status, body.expires_at], ["active", new Date(now + 1000).toISOString()])
    })
  )

  it.effect("keeps a key within its environment A-AUTH-07 A-AUTH-08", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { body } = yield* get("/v1/account", { key: acme.production.key })
      assert.deepStrictEqual([body.environment.id, body.environment.kind], [acme.production.id, "production"])
      const foreign = yield* get(`/v1/api-keys/${acme.sandbox.key_id}`, { key: acme.production.key })
      assert.deepStrictEqual(told(foreign), [404, "api_key_not_found", undefined])
      const asked = { name: "x", environment: "sandbox", scopes: [] }
      const named = yield* post("/v1/api-keys", asked, { key: acme.production.key })
      assert.deepStrictEqual(told(named), [400, "invalid_api_key_request", "environment"])
    })
  )

  it.effect("asks for the scope of each route and names what is missing A-AUTH-09 A-AUTH-10", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["projects:write", "messages:write"] })
      const answer = yield* get("/v1/projects", { key })
      assert.deepStrictEqual(told(answer), [403, "insufficient_scope", undefined])
      assert.deepStrictEqual(answer.body.error.details, {
        required_scopes: ["projects:read"],
        missing_scopes: ["projects:read"]
      })
    })
  )

  it.effect("refuses every key of a suspended organization, scope or not A-AUTH-11", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const bare = yield* seedKey(other.sandbox, { scopes: [] })
      yield* sql`update organizations set suspended_at = created_at where id = ${other.organization_id}`
      for (const [path, key] of [
        ["/v1/account", other.sandbox.key],
        ["/v1/projects", bare.key]
      ] as const) {
        assert.deepStrictEqual(told(yield* get(path, { key })), [403, "organization_suspended", undefined])
      }
      yield* sql`update organizations set suspended_at = null where id = ${other.organization_id}`
      assert.strictEqual((yield* get("/v1/account", { key: other.sandbox.key })).status, 200)
    })
  )

  it.effect("finds no project once it is deleted, though no key is revoked A-AUTH-13 A-AUTH-14 A-AUTH-15", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const actions = yield* Projects.ProjectActions
      const project = yield* seedProject(acme.organization_id, "deleted-soon")
      const { key } = project.production
      const bare = yield* seedKey(project.production, { scopes: [] })
      yield* actions.archive(acme.organization_id, project.id, 1)
      assert.strictEqual((yield* get("/v1/account", { key })).status, 200)
      yield* actions.remove(acme.organization_id, project.id, 2)
      const gone = [404, "project_not_found", undefined]
      assert.deepStrictEqual(told(yield* get("/v1/account", { key })), gone)
      assert.deepStrictEqual(told(yield* post("/v1/projects", { wrong: 1 }, { key })), gone)
      assert.deepStrictEqual(told(yield* get("/v1/projects", bare)), [403, "insufficient_scope", undefined])
      yield* sql`update organizations set suspended_at = created_at where id = ${acme.organization_id}`
      assert.deepStrictEqual(told(yield* get("/v1/account", { key })), [403, "organization_suspended", undefined])
      yield* sql`update organizations set suspended_at = null where id = ${acme.organization_id}`
    })
  )

  it.effect("sees a revocation at the very next request A-AUTH-05", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get } = yield* Api
      const { key, key_id } = yield* seedKey(acme.production)
      for (let i = 0; i < 3; i++) assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      yield* remove(`/v1/api-keys/${key_id}`, { key: acme.production.key })
      assert.deepStrictEqual(told(yield* get("/v1/me", { key })), unauthenticated)
    })
  )

  it.effect("notes when a key was used, once a minute and not when it is refused A-KEY-06", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { key, key_id } = yield* seedKey(acme.sandbox, { scopes: [] })
      const used = Effect.gen(function* () {
        yield* settle
        return (yield* get(`/v1/api-keys/${key_id}`, { key: acme.sandbox.key })).body.last_used_at
      })
      const refused = yield* get("/v1/projects", { key })
      assert.strictEqual(refused.status, 403)
      assert.isNull(yield* used)
      const first = yield* Clock.currentTimeMillis
      yield* get("/v1/me", { key })
      assert.strictEqual(yield* used, new Date(first).toISOString())
      yield* turnBy(59_999)
      yield* get("/v1/me", { key })
      assert.strictEqual(yield* used, new Date(first).toISOString())
      yield* turnBy(1)
      yield* get("/v1/me", { key })
      assert.strictEqual(yield* used, new Date(first + 60_000).toISOString())
    })
  )

  it.effect("stops restricted production operations while credit is exhausted A-AUTH-16 A-AUTH-18 A-AUTH-19", () =>
    Effect.gen(function* () {
      const { get, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const block = (blocked: boolean) =>
        sql`update organizations set credit_blocked = ${blocked} where id = ${other.organization_id}`
      const make = (kind: "production" | "sandbox", idempotencyKey: string) =>
        post("/v1/api-keys", { name: "x", environment: kind, scopes: [] }, { key: other[kind].key, idempotencyKey })
      const before = yield* make("production", "before")
      yield* block(true)
      const answer = yield* make("production", "during")
      assert.deepStrictEqual(told(answer), [402, "credit_balance_exhausted", undefined])
      assert.strictEqual(answer.body.error.type, "payment_required")
      assert.isFalse(answer.body.error.retryable)
      assert.notProperty(answer.body.error, "feedback")
      assert.notProperty(answer.headers, "retry-after")
      assert.strictEqual((yield* make("production", "before")).text, before.text)
      assert.strictEqual((yield* make("sandbox", "during")).status, 201)
      const { key } = other.production
      const project = yield* post("/v1/projects", { name: "x" }, { key })
      assert.strictEqual(project.status, 402)
      for (const path of ["/v1/account", "/v1/projects", "/v1/api-keys", "/v1/feedback"]) {
        assert.strictEqual((yield* get(path, { key })).status, 200, path)
      }
      yield* block(false)
      assert.strictEqual((yield* make("production", "during")).status, 201)
    })
  )

  it.effect("keeps every other restriction when credit recovers A-AUTH-17", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { organization_id } = other
      const bare = yield* seedKey(other.production, { scopes: [] })
      yield* sql`update organizations set credit_blocked = true, suspended_at = created_at where id = ${organization_id}`
      yield* sql`update organizations set credit_blocked = false where id = ${organization_id}`
      const suspended = yield* post("/v1/projects", { name: "x" }, { key: other.production.key })
      assert.strictEqual(suspended.body.error.code, "organization_suspended")
      yield* sql`update organizations set suspended_at = null where id = ${organization_id}`
      assert.strictEqual((yield* post("/v1/projects", { name: "x" }, bare)).body.error.code, "insufficient_scope")
    })
  )
})

it.layer(ApiTest(doors, Layer.empty, { rates: standardRates }), { excludeTestServices: true })("Refusals", (it) => {
  it.effect("come in one order, each hiding those behind it A-AUTH-14 A-ERR-11", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const project = yield* seedProject(acme.organization_id, "faulty")
      const bare = yield* seedKey(project.production, { scopes: [] })
      const { organization_id } = acme
      yield* sql`update organizations set suspended_at = created_at, credit_blocked = true where id = ${organization_id}`
      yield* sql`update projects set deleted_at = created_at where id = ${project.id}`
      // Every fault at once; one after the other is mended.
      const request = {
        method: "PURGE",
        body: `{"padding":"${"x".repeat(10_485_760)}"}`,
        key: "nonsense",
        idempotencyKey: "k".repeat(256)
      }
      const send = Effect.suspend(() => call(request.method, "/v1/projects", request.body, request))
      const code = Effect.map(send, ({ status, body }) => `${status} ${body.error?.code}`)
      assert.strictEqual(yield* code, "404 route_not_found")
      request.method = "POST"
      assert.strictEqual(yield* code, "413 payload_too_large")
      request.body = "{"
      assert.strictEqual(yield* code, "401 authentication_error")
      request.key = bare.key
      assert.strictEqual(yield* code, "403 organization_suspended")
      yield* sql`update organizations set suspended_at = null where id = ${organization_id}`
      assert.strictEqual(yield* code, "403 insufficient_scope")
      request.key = project.production.key
      assert.strictEqual(yield* code, "404 project_not_found")
      yield* sql`update projects set deleted_at = null where id = ${project.id}`
      assert.strictEqual(yield* code, "402 credit_balance_exhausted")
      yield* sql`update organizations set credit_blocked = false where id = ${organization_id}`
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* code, "400 invalid_idempotency_key")
      assert.strictEqual(yield* code, "429 rate_limited")
      yield* turnBy(360_000)
      assert.strictEqual(yield* code, "400 invalid_idempotency_key")
      request.idempotencyKey = "k"
      yield* turnBy(360_000)
      assert.strictEqual(yield* code, "400 http_exception")
      request.body = "{}"
      yield* turnBy(360_000)
      assert.strictEqual(yield* code, "400 invalid_project_body")
      request.body = '{"name":"Faultless"}'
      yield* turnBy(360_000)
      assert.strictEqual(yield* code, "201 undefined")
    })
  )

  it.effect("draw from the key first, then from the organization A-ERR-15", () =>
    Effect.gen(function* () {
      const { other, get } = yield* Api
      const keys = [other.sandbox, yield* seedKey(other.sandbox), yield* seedKey(other.sandbox)]
      const burst = (key: string) =>
        Effect.map(
          Effect.all(
            Array.from({ length: 60 }, () => get("/v1/me", { key })),
            { concurrency: 20 }
          ),
          (answers) => answers.filter(({ status }) => status === 200).length
        )
      for (const { key } of keys) assert.strictEqual(yield* burst(key), 50)
      const fourth = yield* seedKey(other.sibling.sandbox)
      const limited = yield* get("/v1/me", fourth)
      assert.deepStrictEqual(told(limited), [429, "rate_limited", undefined])
      assert.strictEqual(limited.headers["retry-after"], "1")
      assert.isAtMost(limited.body.error.retry_after_ms, 14)
      yield* turnBy(1000)
      assert.strictEqual((yield* get("/v1/me", fourth)).status, 200)
    })
  )

  it.effect("share one bucket of the organization where its numbers do not differ by environment A-ERR-15", () =>
    Effect.gen(function* () {
      const { post } = yield* Api
      const { project, sibling } = yield* seedTenant("one-bucket")
      const draw = (key: string) => Effect.map(post("/v1/projects", {}, { key }), ({ status }) => status)
      for (const { key } of [project.sandbox, sibling.production]) {
        for (let i = 0; i < 5; i++) assert.strictEqual(yield* draw(key), 400)
      }
      for (const { key } of [project.production, sibling.sandbox]) assert.strictEqual(yield* draw(key), 429)
    })
  )

  it.effect("by the organization leave the key's own tokens, so the stated wait is enough A-ERR-15", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const { sandbox } = yield* seedTenant("waiting")
      for (let n = 0; n < 3; n++) {
        const { key } = yield* seedKey(sandbox)
        for (let i = 0; i < 50; i++) assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      }
      const ask = get("/v1/me", { key: sandbox.key })
      const { retry_after_ms } = (yield* ask).body.error
      for (let i = 0; i < 60; i++) assert.strictEqual((yield* ask).status, 429)
      yield* turnBy(retry_after_ms)
      assert.strictEqual((yield* ask).status, 200)
    })
  )

  it.effect("of keys themselves are limited per source, before any look-up A-AUTH-03", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      yield* turnBy(60_000)
      for (let i = 0; i < 30; i++) assert.strictEqual((yield* get("/v1/me", { key: stranger })).status, 401)
      const limited = yield* get("/v1/me", { key: stranger })
      assert.deepStrictEqual(told(limited), [429, "rate_limited", undefined])
      assert.strictEqual(limited.body.error.retry_after_ms, 1000)
      assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key })).status, 429)
      yield* turnBy(1000)
      assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key })).status, 200)
    })
  )

  it.effect("of keys are no more for coming together, each past the look at the bucket A-AUTH-06", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      yield* turnBy(60_000)
      const ask = get("/v1/me", { key: stranger })
      for (let i = 0; i < 25; i++) assert.strictEqual((yield* ask).status, 401)
      const together = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`lock table api_keys in access exclusive mode`
          const asking = yield* Effect.forkChild(
            Effect.all(Array(8).fill(ask) as Array<typeof ask>, { concurrency: 8 })
          )
          // All eight have found a token and wait for their look-up.
          yield* until(Effect.map(lockWaiters, (waiting) => waiting === 8))
          return asking
        })
      )
      const statuses = (yield* Fiber.join(together)).map(({ status }) => status)
      assert.deepStrictEqual(statuses.sort(), [401, 401, 401, 401, 401, 429, 429, 429])
    })
  )
})
