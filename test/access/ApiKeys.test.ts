import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import * as Access from "@carteiro/runtime/access/Access.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedProject, type TestEnvironment } from "../support/Tenants.ts"
import { instant, told } from "../support/Told.ts"

const body = (environment: Pick<TestEnvironment, "kind">, more: object = {}) => ({
  name: "worker",
  environment: environment.kind,
  scopes: ["messages:read"],
  ...more
})

it.layer(ApiTest(Layer.empty, Layer.empty), { excludeTestServices: true })("API keys", (it) => {
  it.effect("are created with their secret in the calling key's project and environment A-KEY-09 A-KEY-14", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { status, body: key } = yield* post("/v1/api-keys", body(acme.sandbox, { name: " worker " }), {
        key: acme.sandbox.key
      })
      assert.strictEqual(status, 201)
      const { secret, trace_id, ...shown } = key
      assert.match(secret, /^svc_sbx_[0-9A-Za-z]{38}$/)
      assert.deepStrictEqual(shown, {
        id: key.id,
        object: "api_key",
        name: "worker",
        key_prefix: secret.slice(0, 16),
        scopes: ["messages:read"],
        kind: "standard",
        status: "active",
        environment: "sandbox",
        last_used_at: null,
        expires_at: null,
        created_at: key.created_at,
        revoked_at: null
      })
      assert.match(key.created_at, instant)
      assert.match(trace_id, /^[0-9a-f]{32}$/)
      const account = yield* get("/v1/account", { key: secret })
      assert.strictEqual(account.body.environment.id, acme.sandbox.id)
      assert.strictEqual(account.body.project.id, acme.project.id)
    })
  )

  it.effect("show their secret in create and rotate only, and their fields in every read A-KEY-01..07", () =>
    Effect.gen(function* () {
      const { acme, get, patch, post, delete: remove } = yield* Api
      const options = { key: acme.sandbox.key }
      const made = yield* post("/v1/api-keys", body(acme.sandbox, { expires_at: "2027-01-01T00:00:00+01:00" }), options)
      const path = `/v1/api-keys/${made.body.id}`
      const reads = [
        yield* get(path, options),
        yield* patch(path, { name: "renamed" }, options),
        yield* remove(path, options)
      ]
      for (const read of reads) {
        assert.strictEqual(read.status, 200)
        assert.notInclude(read.text, made.body.secret)
        assert.notProperty(read.body, "secret")
        assert.strictEqual(read.body.expires_at, "2026-12-31T23:00:00.000Z")
      }
      const { text, body: list } = yield* get("/v1/api-keys?limit=100", options)
      assert.notInclude(text, '"secret"')
      const revoked = yield* get(path, options)
      const listed = list.data.find(({ id }: { id: string }) => id === made.body.id)
      assert.deepStrictEqual({ ...listed, trace_id: revoked.body.trace_id }, revoked.body)
    })
  )

  it.effect("need scope api_keys:admin on every route A-KEY-08", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["messages:read", "projects:write"] })
      const path = `/v1/api-keys/${acme.sandbox.key_id}`
      for (const [method, target, payload] of [
        ["POST", "/v1/api-keys", body(acme.sandbox)],
        ["GET", "/v1/api-keys", undefined],
        ["GET", path, undefined],
        ["PATCH", path, { name: "other" }],
        ["POST", `${path}/rotate`, undefined],
        ["DELETE", path, undefined]
      ] as const) {
        const answer = yield* call(method, target, payload, { key })
        assert.deepStrictEqual(told(answer), [403, "insufficient_scope", undefined], `${method} ${target}`)
        assert.deepStrictEqual(answer.body.error.details, {
          required_scopes: ["api_keys:admin"],
          missing_scopes: ["api_keys:admin"]
        })
      }
    })
  )

  it.effect("refuse a body that breaks the contract A-KEY-10 A-KEY-11 A-KEY-12 A-KEY-13 A-KEY-31", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const refused = (more: object) =>
        Effect.map(post("/v1/api-keys", body(acme.sandbox, more), { key: acme.sandbox.key }), told)
      const invalid = (param: string) => [400, "invalid_api_key_request", param]
      assert.deepStrictEqual(yield* refused({ name: " " }), invalid("name"))
      assert.deepStrictEqual(yield* refused({ name: "x".repeat(256) }), invalid("name"))
      assert.deepStrictEqual(yield* refused({ environment: "production" }), invalid("environment"))
      assert.deepStrictEqual(yield* refused({ scopes: "messages:read" }), invalid("scopes"))
      assert.deepStrictEqual(yield* refused({ scopes: ["messages:read", "nothing:read"] }), invalid("scopes.1"))
      assert.deepStrictEqual(yield* refused({ expires_at: "2026-01-01T00:00:00Z" }), invalid("expires_at"))
      assert.deepStrictEqual(yield* refused({ expires_at: "2031-01-01T00:00:00.001Z" }), invalid("expires_at"))
      assert.deepStrictEqual(yield* refused({ expires_att: "2027-01-01T00:00:00Z" }), invalid("expires_att"))
    })
  )

  it.effect("refuse the first violation in field order, found by schema, calling key or clock A-ERR-02 A-KEY-31", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["api_keys:admin"] })
      const param = (more: object) =>
        Effect.map(post("/v1/api-keys", body(acme.sandbox, { scopes: [], ...more }), { key }), ({ body, status }) => {
          assert.deepStrictEqual([status, body.error?.code], [400, "invalid_api_key_request"])
          return body.error.param
        })
      const past = "2020-01-01T00:00:00Z"
      assert.strictEqual(yield* param({ name: 1, environment: "production" }), "name")
      assert.strictEqual(yield* param({ environment: "production", project_id: 1 }), "environment")
      assert.strictEqual(yield* param({ environment: "production", scopes: ["nothing:read"] }), "environment")
      assert.strictEqual(yield* param({ scopes: ["messages:read"], expires_at: "soon" }), "scopes.0")
      assert.strictEqual(yield* param({ scopes: ["nothing:read"], expires_at: past }), "scopes.0")
      assert.strictEqual(yield* param({ expires_at: past, surplus: 1 }), "expires_at")
      assert.strictEqual(yield* param({ surplus: 1 }), "surplus")
    })
  )

  it.effect("grant only what the calling key holds, and never api_keys:admin A-KEY-20 A-KEY-21", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { key } = yield* seedKey(acme.sandbox, { scopes: ["api_keys:admin", "messages:read"] })
      const asked = (scopes: ReadonlyArray<string>) => post("/v1/api-keys", body(acme.sandbox, { scopes }), { key })
      assert.deepStrictEqual(told(yield* asked(["messages:read", "messages:write"])), [
        400,
        "invalid_api_key_request",
        "scopes.1"
      ])
      const administrative = yield* asked(["api_keys:admin"])
      assert.deepStrictEqual(told(administrative), [400, "invalid_api_key_request", "scopes.0"])
      assert.include(administrative.body.error.message, "a scope of the catalog")
      assert.deepStrictEqual((yield* asked([])).body.scopes, [])
      assert.deepStrictEqual((yield* asked(["messages:read", "messages:read"])).body.scopes, ["messages:read"])
    })
  )

  it.effect("are minted into the matching environment of a sibling project A-KEY-15 A-KEY-16", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const options = { key: acme.production.key }
      const asked = body(acme.production, { project_id: acme.sibling.id })
      const { status, body: key } = yield* post("/v1/api-keys", asked, options)
      assert.strictEqual(status, 201)
      const { body: account } = yield* get("/v1/me", { key: key.secret })
      assert.strictEqual(account.environment.id, acme.sibling.production.id)
      assert.strictEqual(account.project.id, acme.sibling.id)
      assert.deepStrictEqual(told(yield* get(`/v1/api-keys/${key.id}`, options)), [404, "api_key_not_found", undefined])
      const own = yield* post("/v1/api-keys", body(acme.production, { project_id: acme.project.id }), options)
      assert.strictEqual((yield* get(`/v1/api-keys/${own.body.id}`, options)).status, 200)
    })
  )

  it.effect("answer one 404 for a missing, foreign, archived or deleted project A-KEY-17 A-KEY-19", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const archived = yield* seedProject(acme.organization_id, "archived")
      const deleted = yield* seedProject(acme.organization_id, "deleted")
      yield* sql`update projects set archived_at = created_at where id = ${archived.id}`
      yield* sql`update projects set deleted_at = created_at where id = ${deleted.id}`
      for (const project_id of ["prj_none", "prj_\u0000", other.project.id, archived.id, deleted.id]) {
        const answer = yield* post("/v1/api-keys", body(acme.sandbox, { project_id }), { key: acme.sandbox.key })
        assert.deepStrictEqual(told(answer), [404, "project_not_found", undefined])
      }
      const own = yield* post("/v1/api-keys", body(archived.sandbox), { key: archived.sandbox.key })
      assert.deepStrictEqual(told(own), [404, "project_not_found", undefined])
    })
  )

  it.effect(
    "replay a stored create after the target was archived, and need an active target under a new key A-KEY-18",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const target = yield* seedProject(acme.organization_id, "soon-archived")
        const asked = body(acme.sandbox, { project_id: target.id })
        const first = yield* post("/v1/api-keys", asked, { key: acme.sandbox.key, idempotencyKey: "before" })
        yield* sql`update projects set archived_at = created_at where id = ${target.id}`
        const replay = yield* post("/v1/api-keys", asked, { key: acme.sandbox.key, idempotencyKey: "before" })
        assert.deepStrictEqual([replay.status, replay.text], [201, first.text])
        const fresh = yield* post("/v1/api-keys", asked, { key: acme.sandbox.key, idempotencyKey: "after" })
        assert.deepStrictEqual(told(fresh), [404, "project_not_found", undefined])
      })
  )

  it.effect("are listed newest first, page by page, for one environment A-KEY-23", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const made: Array<string> = []
      for (let i = 0; i < 4; i++) {
        yield* turnBy(10)
        made.unshift((yield* seedKey(other.sibling.sandbox)).key_id)
      }
      const options = { key: other.sibling.sandbox.key }
      yield* get("/v1/me", options)
      yield* quiesce
      const all = yield* get("/v1/api-keys", options)
      assert.deepStrictEqual(
        all.body.data.map(({ id }: { id: string }) => id),
        [...made, other.sibling.sandbox.key_id]
      )
      assert.deepStrictEqual([all.body.object, all.body.has_more, all.body.next_cursor], ["list", false, null])
      const first = yield* get("/v1/api-keys?limit=3", options)
      assert.isTrue(first.body.has_more)
      const rest = yield* get(`/v1/api-keys?limit=3&starting_after=${first.body.next_cursor}`, options)
      assert.deepStrictEqual([...first.body.data, ...rest.body.data], all.body.data)
      for (const [query, param] of [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["page=2", "page"]
      ]) {
        const answer = yield* get(`/v1/api-keys?${query}`, options)
        assert.deepStrictEqual(told(answer), [400, "invalid_api_key_request", param])
      }
      const foreign = yield* get(`/v1/api-keys?starting_after=${first.body.next_cursor}`, { key: other.sandbox.key })
      assert.deepStrictEqual(told(foreign), [400, "invalid_cursor", "starting_after"])
    })
  )

  it.effect("are hidden from every other environment, project and organization A-KEY-24", () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const path = `/v1/api-keys/${acme.sandbox.key_id}`
      const read = yield* get(path, { key: acme.sandbox.key })
      assert.deepStrictEqual([read.status, read.body.id], [200, acme.sandbox.key_id])
      for (const { key } of [acme.production, acme.sibling.sandbox, other.sandbox]) {
        assert.deepStrictEqual(told(yield* get(path, { key })), [404, "api_key_not_found", undefined])
      }
      const odd = yield* get("/v1/api-keys/what%20is%00this", { key: acme.sandbox.key })
      assert.deepStrictEqual(told(odd), [404, "api_key_not_found", undefined])
    })
  )

  it.effect("take a new name of 3 to 80 characters in any status A-KEY-25", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, patch } = yield* Api
      const { key_id } = yield* seedKey(acme.sandbox)
      const rename = (name: unknown) => patch(`/v1/api-keys/${key_id}`, { name }, { key: acme.sandbox.key })
      assert.strictEqual((yield* rename("  abc ")).body.name, "abc")
      for (const name of ["ab", "x".repeat(81), null, undefined]) {
        assert.deepStrictEqual(told(yield* rename(name)), [400, "invalid_api_key_request", "name"])
      }
      yield* remove(`/v1/api-keys/${key_id}`, { key: acme.sandbox.key })
      const renamed = yield* rename("x".repeat(80))
      assert.deepStrictEqual([renamed.body.name, renamed.body.status], ["x".repeat(80), "revoked"])
      const none = yield* patch("/v1/api-keys/key_none", { name: "abc" }, { key: acme.sandbox.key })
      assert.deepStrictEqual(told(none), [404, "api_key_not_found", undefined])
    })
  )

  it.effect("rotate to a new secret, and the old secret stops at once A-KEY-26 A-KEY-27 A-KEY-28", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const before = yield* seedKey(acme.sandbox, { name: "turning", scopes: ["messages:read"] })
      const { status, body: key } = yield* post(`/v1/api-keys/${before.key_id}/rotate`, undefined, {
        key: acme.sandbox.key
      })
      assert.deepStrictEqual([status, key.id, key.name, key.status], [200, before.key_id, "turning", "active"])
      assert.strictEqual(key.key_prefix, key.secret.slice(0, 16))
      assert.deepStrictEqual(told(yield* get("/v1/me", { key: before.key })), [401, "authentication_error", undefined])
      assert.strictEqual((yield* get("/v1/me", { key: key.secret })).status, 200)
      const again = yield* get(`/v1/api-keys/${before.key_id}`, { key: acme.sandbox.key })
      assert.notInclude(again.text, key.secret)
    })
  )

  it.effect("rotate only while they work, and only for a caller with all their scopes A-KEY-26", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const rotate = (id: string, key: string) => post(`/v1/api-keys/${id}/rotate`, undefined, { key })
      const narrow = yield* seedKey(acme.sandbox, { scopes: ["api_keys:admin"] })
      const refused = yield* rotate(acme.sandbox.key_id, narrow.key)
      assert.deepStrictEqual(told(refused), [403, "insufficient_scope", undefined])
      assert.include(refused.body.error.details.missing_scopes, "messages:read")
      const expired = yield* seedKey(acme.sandbox, { expires_at: 0 })
      assert.deepStrictEqual(told(yield* rotate(expired.key_id, acme.sandbox.key)), [
        409,
        "api_key_not_active",
        undefined
      ])
      const self = yield* rotate(narrow.key_id, narrow.key)
      assert.strictEqual(self.status, 200)
      assert.strictEqual((yield* rotate(narrow.key_id, narrow.key)).status, 401)
    })
  )

  it.effect("are revoked for good, and revoking again changes nothing A-KEY-29 A-KEY-30 A-AUTH-05", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get, post } = yield* Api
      const { key, key_id } = yield* seedKey(acme.sandbox)
      const path = `/v1/api-keys/${key_id}`
      const options = { key: acme.sandbox.key, headers: { "svc-trace-id": "one-trace-for-both" } }
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      const first = yield* remove(path, options)
      assert.deepStrictEqual([first.status, first.body.status], [200, "revoked"])
      assert.match(first.body.revoked_at, instant)
      assert.deepStrictEqual(told(yield* get("/v1/me", { key })), [401, "authentication_error", undefined])
      yield* turnBy(5000)
      assert.strictEqual((yield* remove(path, options)).text, first.text)
      const rotated = yield* post(`${path}/rotate`, undefined, options)
      assert.deepStrictEqual(told(rotated), [409, "api_key_not_active", undefined])
    })
  )

  it.effect("may revoke themselves, even the last administrator A-KEY-29", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get } = yield* Api
      const lone = yield* seedProject(acme.organization_id, "lone")
      const { key, key_id } = lone.sandbox
      const answer = yield* remove(`/v1/api-keys/${key_id}`, { key })
      assert.deepStrictEqual([answer.status, answer.body.status], [200, "revoked"])
      assert.strictEqual((yield* get("/v1/me", { key })).status, 401)
    })
  )

  it.effect("stop at 100 active keys, also for concurrent requests; revoking frees a place A-KEY-09", () =>
    Effect.gen(function* () {
      const { delete: remove, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key, key_id } = other.sibling.production
      yield* sql`update environment_counters set active_api_keys = 97 where environment_id = ${id}`
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, i) =>
          post("/v1/api-keys", body(other.production), { key, idempotencyKey: `race-${i}` })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 3)
      for (const answer of answers) {
        if (answer.status !== 201) assert.deepStrictEqual(told(answer), [409, "api_key_limit_reached", undefined])
      }
      const full = answers.findIndex(({ status }) => status === 409)
      const made = answers.find(({ status }) => status === 201)
      yield* remove(`/v1/api-keys/${made?.body.id}`, { key })
      yield* remove(`/v1/api-keys/${made?.body.id}`, { key })
      const retried = yield* post("/v1/api-keys", body(other.production), { key, idempotencyKey: `race-${full}` })
      assert.strictEqual(retried.status, 201)
      assert.notProperty(retried.headers, "svc-idempotent-replayed")
      const rows = yield* sql<{ active: number; counted: number }>`select
        (select count(*)::int4 from api_keys where environment_id = ${id} and status = 'active' and id <> ${key_id})
          as active,
        (select active_api_keys - 97 from environment_counters where environment_id = ${id}) as counted`
      assert.deepStrictEqual(rows[0], { active: 3, counted: 3 })
    })
  )

  it.effect("with api_keys:admin are first created outside the API A-KEY-22", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      const tenancy = yield* Access.Tenancy
      const keys = yield* Access.ApiKeys
      const born = yield* tenancy.createOrganization(
        {
          name: "Newcomer",
          owner: { name: "Nina", email: "nina@new.test" },
          project: { name: "First", slug: "first" }
        },
        Date.parse("2026-01-01T00:00:00Z") as RealInstant
      )
      const key = yield* keys.mint(
        {
          organization_id: born.organization_id,
          project_id: born.project_id,
          environment_id: born.production_id,
          environment: "production",
          name: "admin",
          scopes: ["api_keys:admin"],
          kind: "standard",
          expires_at: null
        },
        Date.parse("2026-01-01T00:00:00Z") as RealInstant
      )
      const { body: account } = yield* get("/v1/account", { key: key.secret })
      assert.strictEqual(account.organization.name, "Newcomer")
      assert.strictEqual(account.environment.id, born.production_id)
      assert.deepStrictEqual(account.dashboard_owner, { name: "Nina", email: "nina@new.test" })
      assert.deepStrictEqual(account.api_key.scopes, ["api_keys:admin"])
    })
  )
})
