import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"

it.layer(ApiTest(Layer.empty, Layer.empty), { excludeTestServices: true })("The account profile", (it) => {
  it.effect("names the organization, project, environment, key and one owner A-ACCT-01 A-ACCT-04 A-ACCT-05", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { status, body, headers } = yield* get("/v1/account", { key: acme.production.key })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        object: "account_profile",
        organization: {
          id: acme.organization_id,
          object: "organization",
          name: "acme",
          created_at: "2026-01-01T00:00:00.000Z"
        },
        project: {
          id: acme.project.id,
          object: "project",
          name: "acme-one",
          slug: "acme-one",
          default_language: "pt_BR",
          default_region: "BR"
        },
        environment: { id: acme.production.id, object: "environment", kind: "production" },
        api_key: body.api_key,
        dashboard_owner: { name: "Owner of acme", email: "owner@acme.test" },
        trace_id: headers["svc-trace-id"]
      })
      assert.strictEqual(body.api_key.id, acme.production.key_id)
      assert.strictEqual(body.api_key.environment, "production")
    })
  )

  it.effect("is identical under its alias GET /v1/me A-ACCT-02", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      yield* get("/v1/account", { key: acme.sandbox.key })
      // The first use of a key is written behind its answer.
      yield* quiesce
      const account = yield* get("/v1/account", { key: acme.sandbox.key })
      const me = yield* get("/v1/me", { key: acme.sandbox.key, headers: { "svc-trace-id": account.body.trace_id } })
      assert.deepStrictEqual([me.status, me.body], [200, account.body])
    })
  )

  it.effect("needs a valid key and no scope A-ACCT-03", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { key } = yield* seedKey(acme.sandbox, { scopes: [] })
      assert.strictEqual((yield* get("/v1/account", { key })).status, 200)
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      assert.strictEqual((yield* get("/v1/account")).body.error.code, "authentication_error")
    })
  )

  it.effect("contains no secret and no undocumented member A-ACCT-06 A-ACCT-07", () =>
    Effect.gen(function* () {
      const { other, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into members (organization_id, id, name, email, role, created_at)
        values (${other.organization_id}, 'mem_second', 'Second', 'second@other.test', 'owner', '2026-02-01')`
      const { text } = yield* get("/v1/account", { key: other.sandbox.key })
      assert.notInclude(text, other.sandbox.key)
      assert.notInclude(text, "secret")
      assert.notInclude(text, "Second")
      assert.include(text, "owner@other.test")
    })
  )

  it.effect("names the next owner when the earliest is inactive, and null when none is left A-ACCT-05", () =>
    Effect.gen(function* () {
      const { other, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const owner = Effect.map(get("/v1/account", { key: other.sandbox.key }), ({ body }) => body.dashboard_owner)
      yield* sql`update members set active = false where id = ${other.owner.id}`
      assert.deepStrictEqual(yield* owner, { name: "Second", email: "second@other.test" })
      yield* sql`update members set role = 'admin' where id = 'mem_second'`
      assert.isNull(yield* owner)
    })
  )
})
