import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { makeSecret, secretBytes } from "@carteiro/runtime/access/keys/ApiKeySecret.ts"
import * as Feedback from "@carteiro/runtime/feedback/room.ts"
import * as Projects from "@carteiro/runtime/projects/Operator.ts"
import { room as projectsRoom } from "@carteiro/runtime/projects/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey, seedProject } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"

const doors = served(projectsRoom, Feedback.room)
const unauthenticated = [401, "authentication_error", undefined]
const stranger = makeSecret("sandbox", new Uint8Array(secretBytes).fill(9)).secret

it.layer(ApiTest(doors, Layer.empty), { excludeTestServices: true })("Authentication", (it) => {
  it.effect("is required on every route but those of the device flow A-AUTH-01 A-AUTH-03", () =>
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

  it.effect(
    'refuses every key that does not work and says which case it is A-AUTH-03..06 gaps-1 "Amendments of November 2026"',
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const now = yield* Clock.currentTimeMillis
        const expired = yield* seedKey(acme.sandbox, { expires_at: now })
        const revoked = yield* seedKey(acme.sandbox)
        yield* sql`update api_keys set status = 'revoked', revoked_at = created_at where id = ${revoked.key_id}`
        const { key } = acme.sandbox
        const flipped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a")
        const cases: ReadonlyArray<readonly [RegExp, Record<string, string | ReadonlyArray<string>>]> = [
          [/no Authorization header/, {}],
          [/no Authorization header/, { authorization: "" }],
          [/no Authorization header/, { "x-api-key": key }],
          [/does not begin with `Bearer`/, { authorization: key }],
          [/does not begin with `Bearer`/, { authorization: `Basic ${key}` }],
          [/several Authorization headers/, { authorization: [`Bearer ${key}`, `Bearer ${key}`] }],
          [/key is malformed/, { authorization: "Bearer" }],
          [/key is malformed/, { authorization: `Bearer ${flipped}` }],
          [/key is malformed/, { authorization: `Bearer ${key} ${key}` }],
          [/key is unknown here/, { authorization: `Bearer ${stranger}` }],
          [/key is revoked or expired/, { authorization: `Bearer ${expired.key}` }],
          [/key is revoked or expired/, { authorization: `Bearer ${revoked.key}` }]
        ]
        for (const [message, each] of cases) {
          const answer = yield* get(`/v1/account?api_key=${key}`, { headers: each })
          assert.deepStrictEqual(told(answer), unauthenticated, JSON.stringify(each))
          assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
          assert.match(answer.body.error.message, message, JSON.stringify(each))
        }
        const posted = yield* post(
          "/v1/feedback",
          { message: "x" },
          { headers: { authorization: "Bearer svc_sbx_cut" } }
        )
        assert.match(posted.body.error.message, /key is malformed/)
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

  it.effect("requires the scope of each route and names the missing one A-AUTH-09 A-AUTH-10", () =>
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

  it.effect("refuses every key of a suspended organization, with or without its scope A-AUTH-11", () =>
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

  it.effect("answers 404 for a deleted project although no key is revoked A-AUTH-13 A-AUTH-14 A-AUTH-15", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const actions = yield* Projects.ProjectActions
      const project = yield* seedProject(acme.organization_id, "deleted-soon")
      const { key } = project.production
      const bare = yield* seedKey(project.production, { scopes: [] })
      yield* actions.archive(acme.organization_id, project.id, 1 as RealInstant)
      assert.strictEqual((yield* get("/v1/account", { key })).status, 200)
      yield* actions.remove(acme.organization_id, project.id, 2 as RealInstant)
      const gone = [404, "project_not_found", undefined]
      assert.deepStrictEqual(told(yield* get("/v1/account", { key })), gone)
      assert.deepStrictEqual(told(yield* post("/v1/projects", { wrong: 1 }, { key })), gone)
      assert.deepStrictEqual(told(yield* get("/v1/projects", bare)), [403, "insufficient_scope", undefined])
      yield* sql`update organizations set suspended_at = created_at where id = ${acme.organization_id}`
      assert.deepStrictEqual(told(yield* get("/v1/account", { key })), [403, "organization_suspended", undefined])
      yield* sql`update organizations set suspended_at = null where id = ${acme.organization_id}`
    })
  )

  it.effect("refuses a revoked key at the very next request A-AUTH-05", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get } = yield* Api
      const { key, key_id } = yield* seedKey(acme.production)
      for (let i = 0; i < 3; i++) assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      yield* remove(`/v1/api-keys/${key_id}`, { key: acme.production.key })
      assert.deepStrictEqual(told(yield* get("/v1/me", { key })), unauthenticated)
    })
  )

  it.effect("records every use of a working key, refused or not, once a minute A-KEY-06", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { key, key_id } = yield* seedKey(acme.sandbox, { scopes: [] })
      const used = Effect.gen(function* () {
        yield* quiesce
        return (yield* get(`/v1/api-keys/${key_id}`, { key: acme.sandbox.key })).body.last_used_at
      })
      assert.isNull(yield* used)
      const first = yield* Clock.currentTimeMillis
      const refused = yield* get("/v1/projects", { key })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(yield* used, new Date(first).toISOString())
      yield* turnBy(59_999)
      yield* get("/v1/me", { key })
      assert.strictEqual(yield* used, new Date(first).toISOString())
      yield* turnBy(1)
      yield* get("/v1/me", { key })
      assert.strictEqual(yield* used, new Date(first + 60_000).toISOString())
      yield* sql`update api_keys set status = 'revoked', revoked_at = created_at where id = ${key_id}`
      yield* turnBy(60_000)
      assert.strictEqual((yield* get("/v1/me", { key })).status, 401)
      assert.strictEqual(yield* used, new Date(first + 60_000).toISOString())
    })
  )

  it.effect("stops restricted production operations while credit is exhausted A-AUTH-16 A-AUTH-18 A-AUTH-19", () =>
    Effect.gen(function* () {
      const { get, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const block = (blocked: boolean) =>
        sql`update organizations set credit_blocked = ${blocked} where id = ${other.organization_id}`
      const make = (kind: "production" | "sandbox", idempotencyKey: string, name = "x") =>
        post("/v1/api-keys", { name, environment: kind, scopes: [] }, { key: other[kind].key, idempotencyKey })
      const before = yield* make("production", "before")
      yield* block(true)
      const answer = yield* make("production", "during")
      assert.deepStrictEqual(told(answer), [402, "credit_balance_exhausted", undefined])
      assert.strictEqual(answer.body.error.type, "payment_required")
      assert.isFalse(answer.body.error.retryable)
      assert.notProperty(answer.body.error, "feedback")
      assert.notProperty(answer.headers, "retry-after")
      assert.strictEqual((yield* make("production", "before")).text, before.text)
      // A completed record lifts the block for its key, so that another body learns what is wrong.
      const another = yield* make("production", "before", "y")
      assert.deepStrictEqual(told(another), [409, "idempotency_key_conflict", undefined])
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
