import { Traits } from "@carteiro/schema/conventions/Access.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import type { HttpApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { cookieOf, DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const endpoints = Object.values(PeopleApi.groups as unknown as HttpApi.Top["groups"]).flatMap((group) =>
  Object.values(group.endpoints).map(({ annotations, method, path }) => ({
    method,
    path: path.replaceAll(/:\w+/g, "we_01k00000000000000000000000"),
    traits: Context.getOrUndefined(annotations as Context.Context<Traits>, Traits)
  }))
)

it.layer(DashboardTest, { excludeTestServices: true })("Operations of people", (it) => {
  it("are for people by declaration, each of them", () => {
    assert.isAbove(endpoints.length, 1)
    for (const { path, traits } of endpoints) assert.strictEqual(traits?.authentication, "person", path)
  })

  it.effect("are unknown paths from outside: with a key, with a session, and in every hint", () =>
    Effect.gen(function* () {
      const { acme, call } = yield* Api
      const someone = yield* signedIn(acme)
      for (const { method, path } of endpoints) {
        const body = method === "GET" ? undefined : {}
        for (const options of [
          { key: acme.sandbox.key },
          { headers: cookieOf(someone.cookies, "/dashboard") },
          { key: acme.production.key, headers: cookieOf(someone.cookies, "/dashboard") }
        ]) {
          const answer = yield* call(method, path, body, options)
          assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "route_not_found"], path)
          assert.notMatch(answer.body.error.message, /nearest path|takes/i)
        }
        assert.deepStrictEqual((yield* call("PUT", path, {}, { key: acme.sandbox.key })).status, 404)
      }
    })
  )

  it.effect("are named by no description", () =>
    Effect.gen(function* () {
      const { get } = yield* Api
      for (const path of ["/openapi.json", "/postman.json", "/.well-known/svc.json"]) {
        assert.notInclude((yield* get(path)).text, "/people/", path)
      }
    })
  )

  it.effect('let a suspended organization look and change nothing (gaps-1 C "Dashboard sessions and roles")', () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(other)
      const url = "https://hooks.example.com/suspended"
      const { post } = yield* Api
      const made = yield* post(
        "/v1/webhook-endpoints",
        { url, subscribed_events: ["message.sent"] },
        { key: other.sandbox.key }
      )
      const here = `/dashboard/webhooks/${other.sandbox.id}/endpoints/${made.body.id}`
      yield* sql`update organizations set suspended_at = now() where id = ${other.organization_id}`
      const shown = yield* someone.get(here)
      assert.deepStrictEqual([shown.status, textOf(shown.text).includes(url)], [200, true])
      assert.strictEqual((yield* someone.submit("/dashboard", `${here}/recover`)).status, 403)
      yield* sql`update organizations set suspended_at = null where id = ${other.organization_id}`
    })
  )

  it.effect("recover an endpoint only with credit, as the API does (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const path = `/dashboard/webhooks/${acme.production.id}/endpoints/we_01k00000000000000000000000/recover`
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      assert.strictEqual((yield* someone.submit("/dashboard", path)).status, 402)
      yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
      assert.strictEqual((yield* someone.submit("/dashboard", path)).status, 404)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.strictEqual((yield* member.submit("/dashboard", path)).status, 403)
    })
  )

  it.effect("begin a setup session of production only with credit, as the API does (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const begin = someone.submit("/dashboard", `/dashboard/connections/${acme.production.id}`, {
        target: "pixprov2.payments"
      })
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      assert.strictEqual((yield* begin).status, 402)
      yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
      assert.match((yield* begin).headers.location ?? "", /^\/dashboard\/setup\/pcs_/)
    })
  )
})
