import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { csrfIn, DashboardTest, type Fields, signedIn, textOf, type Visitor } from "./Visitor.ts"

const page = "/dashboard/api-keys"

const create = (someone: Visitor, projectId: string, more: Fields = {}) =>
  someone.submit(page, page, {
    name: "Deployment",
    project_id: projectId,
    environment: "production",
    scopes: ["messages:read", "api_keys:admin"],
    expires_on: "",
    ...more
  })
const secretIn = (text: string) => /svc_(?:live|sbx)_[A-Za-z0-9]{38}/.exec(text)?.[0]

it.layer(DashboardTest, { excludeTestServices: true })("API keys", (it) => {
  it.effect("come from the dashboard with api_keys:admin and are shown once (gaps-1 C) A-KEY-07 A-KEY-21", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const someone = yield* signedIn(acme)
      const made = yield* create(someone, acme.project.id)
      assert.deepStrictEqual([made.status, made.headers["cache-control"]], [201, "no-store"])
      const key = secretIn(made.text) ?? ""
      assert.match(key, /^svc_live_/)
      const own = (yield* get("/v1/me", { key })).body.api_key
      assert.deepStrictEqual(
        [own.name, own.kind, own.scopes, own.expires_at],
        ["Deployment", "standard", ["messages:read", "api_keys:admin"], null]
      )
      const body = { name: "Made by it", environment: "production", scopes: ["messages:read"] }
      assert.strictEqual((yield* post("/v1/api-keys", body, { key })).status, 201)
      const list = yield* someone.get(`${page}?environment=${acme.production.id}`)
      assert.notInclude(list.text, key)
      assert.include(list.text, own.key_prefix)
      assert.include(textOf(list.text), "Made by it")
    })
  )

  it.effect("a new key can be copied, downloaded as .env without a request, and tried", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const { text } = yield* create(someone, acme.project.id)
      const [, file = ""] = /download="carteiro.env" href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(text) ?? []
      assert.match(decodeURIComponent(file), /^CARTEIRO_API_BASE=https?:\/\/\S+\nCARTEIRO_API_KEY=svc_live_\w{38}\n$/)
      assert.include(decodeURIComponent(file), secretIn(text) ?? "no key")
      const blocks = Array.from(text.matchAll(/<pre[^>]*>.*?<\/pre>/gs), ([block]) => block)
      assert.match(
        textOf(blocks[0] ?? ""),
        /^\s*read -rs CARTEIRO_API_KEY\s*$/,
        "the variable of the call is set first"
      )
      assert.match(textOf(blocks[1] ?? ""), /curl \S+\/v1\/me[\s\S]*\$CARTEIRO_API_KEY/)
      assert.notInclude(blocks.join(), secretIn(text) ?? "")
    })
  )

  it.effect("presets tick groups of scopes without a script and keep what was typed, and every scope has a box", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const boxesIn = ({ text }: { readonly text: string }, ticked: RegExp) =>
        [...text.matchAll(ticked)].map(([, scope]) => scope).toSorted()
      const fresh = yield* someone.get(`${page}?environment=${acme.sandbox.id}`)
      const typed = {
        name: "ERP of the shop",
        project_id: acme.project.id,
        environment: "production",
        scopes: "logs:read"
      }
      const preset = (name: string) =>
        Effect.map(someone.post(page, { csrf: csrfIn(fresh.text), ...typed, preset: name }), (answer) => {
          assert.strictEqual(answer.status, 200)
          assert.include(answer.text, 'value="ERP of the shop"')
          assert.match(answer.text, /<option value="production" selected>/)
          return boxesIn(answer, checked)
        })
      const checked = /name="scopes" value="([^"]*)" checked/g
      const all = KeyScope.literals.toSorted()
      assert.deepStrictEqual(boxesIn(fresh, /name="scopes" value="([^"]*)"/g), all)
      assert.deepStrictEqual(boxesIn(fresh, checked), [])
      assert.deepStrictEqual(
        yield* preset("reading"),
        all.filter((scope) => scope.endsWith(":read"))
      )
      const messaging = yield* preset("messaging")
      for (const scope of ["messages:write", "webhooks:write"]) assert.include(messaging, scope)
      for (const scope of ["billing:read", "payments:write", "api_keys:admin"]) assert.notInclude(messaging, scope)
      assert.deepStrictEqual(yield* preset("everything"), all)
      assert.deepStrictEqual(yield* preset("nonsense"), [])
      assert.notInclude((yield* someone.get(`${page}?environment=${acme.production.id}`)).text, "ERP of the shop")
    })
  )

  it.effect("revoking asks for confirmation, and the next request is refused A-KEY-29", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const made = yield* create(someone, acme.project.id, { name: "Short lived" })
      const key = secretIn(made.text) ?? ""
      const id = (yield* get("/v1/me", { key })).body.api_key.id
      const path = `${page}/${acme.production.id}/${id}/revoke`
      assert.include(textOf((yield* someone.get(path)).text), "Short lived")
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      const other = yield* someone.submit(path, path, { name: "Another" })
      assert.deepStrictEqual([other.status, textOf(other.text).includes("That is not Short lived.")], [400, true])
      assert.strictEqual((yield* get("/v1/me", { key })).status, 200)
      const revoked = yield* someone.submit(path, path, { name: "Short lived" })
      assert.strictEqual(revoked.headers.location, `${page}?environment=${acme.production.id}&done=revoked`)
      assert.strictEqual((yield* get("/v1/me", { key })).status, 401)
    })
  )

  it.effect("an expiry date includes the whole day, in UTC", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const made = yield* create(someone, acme.project.id, { expires_on: "2026-01-31" })
      const key = secretIn(made.text) ?? ""
      assert.strictEqual((yield* get("/v1/me", { key })).body.api_key.expires_at, "2026-01-31T23:59:59.999Z")
    })
  )

  it.effect("a refused form says why and keeps its input", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const someone = yield* signedIn(acme)
      for (const more of [
        { name: "" },
        { name: "   " },
        { name: "x".repeat(256) },
        { name: "notifier\u0007" },
        { scopes: ["messages:read", "messages:all"] },
        { project_id: other.project.id },
        { project_id: "" },
        { environment: "staging" },
        { expires_on: "2025-12-31" },
        { expires_on: "tomorrow" },
        { expires_on: "2036-01-01" }
      ]) {
        const answer = yield* create(someone, acme.project.id, more)
        assert.strictEqual(answer.status, 400, JSON.stringify(more))
        assert.isUndefined(secretIn(answer.text))
      }
      const typed = yield* create(someone, acme.project.id, { expires_on: "2025-12-31" })
      assert.include(typed.text, 'value="Deployment"')
      assert.include(typed.text, 'value="api_keys:admin" checked')
      assert.notInclude(typed.text, 'value="messages:write" checked')
    })
  )

  it.effect("archived projects take none, and a full environment says so (gaps-1 F)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const third = yield* seedProject(acme.organization_id, "acme-three")
      yield* sql`update environment_counters set active_api_keys = 100 where environment_id = ${third.production.id}`
      const full = yield* create(someone, third.id)
      assert.deepStrictEqual([full.status, textOf(full.text).includes("largest allowed number")], [409, true])
      yield* sql`update projects set archived_at = created_at where id = ${third.id}`
      assert.strictEqual((yield* create(someone, third.id)).status, 400)
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other, get } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `${page}/${other.sandbox.id}/${other.sandbox.key_id}/revoke`
      assert.strictEqual((yield* someone.get(`${page}?environment=${other.sandbox.id}`)).status, 404)
      assert.strictEqual((yield* someone.get(path)).status, 404)
      assert.strictEqual((yield* someone.submit("/dashboard", path)).status, 404)
      const mixed = `${page}/${acme.sandbox.id}/${other.sandbox.key_id}/revoke`
      assert.strictEqual((yield* someone.submit("/dashboard", mixed)).status, 404)
      assert.strictEqual((yield* get("/v1/me", { key: other.sandbox.key })).status, 200)
      for (const odd of ["env_x", "%00", "'", "env_%F0%9F"]) {
        assert.strictEqual((yield* someone.get(`${page}?environment=${odd}`)).status, 404)
        assert.strictEqual((yield* someone.get(`${page}?environment=${acme.sandbox.id}&after=${odd}`)).status, 200)
      }
    })
  )

  it.effect("are listed 25 a page", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const many = yield* seedProject(acme.organization_id, "acme-many")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into api_keys (environment_id, id, project_id, organization_id, name, key_prefix, secret_hash, scopes,
          kind, status, created_at)
        select environment_id, 'key_' || lpad(n::text, 26, '0'), project_id, organization_id, 'n' || n, 'svc_sbx_x',
          sha256(n::text::bytea), '[]', 'standard', 'active', created_at
        from api_keys, generate_series(1, 40) n where id = ${many.sandbox.key_id}`
      const first = yield* someone.get(`${page}?environment=${many.sandbox.id}`)
      const older = /href="([^"]*before=[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const second = yield* someone.get(older)
      assert.include(second.text, `<a class="button" href="${page}?environment=${many.sandbox.id}">Newest</a>`)
      const names = (text: string) => [...text.matchAll(/>(n\d+|seeded)<\/span><\/th>/g)].map(([, name]) => name)
      assert.deepStrictEqual([names(first.text).length, names(second.text).length], [25, 16])
      assert.strictEqual(new Set([...names(first.text), ...names(second.text)]).size, 41)
    })
  )
})
