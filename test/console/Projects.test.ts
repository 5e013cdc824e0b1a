import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/projects"

it.layer(DashboardTest, { excludeTestServices: true })("Projects", (it) => {
  it.effect("are created with a given or derived slug, which exists once A-PROJ-08", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const created = yield* someone.submit(page, page, { name: "Loja Norte", slug: "" })
      assert.strictEqual(created.status, 303)
      const { key } = acme.sandbox
      const [made] = (yield* get("/v1/projects", { key })).body.data
      assert.deepStrictEqual([made.name, made.slug], ["Loja Norte", "loja-norte"])
      const inside = textOf((yield* someone.get(created.headers.location ?? "")).text)
      assert.match(inside, /Project Loja Norte [\s\S]*The project is created, and you are in its sandbox\./)
      const taken = yield* someone.submit(page, page, { name: "Other", slug: "loja-norte" })
      assert.strictEqual(taken.status, 400)
      assert.include(taken.text, 'value="loja-norte"')
      for (const fields of [{ name: "" }, { name: "x".repeat(121) }, { name: "x", slug: "Loja Norte" }]) {
        assert.strictEqual((yield* someone.submit(page, page, fields)).status, 400)
      }
    })
  )

  it.effect("archived ones leave the API, keep their keys, and can be restored (gaps-1 C) A-PROJ-17", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const shop = yield* seedProject(acme.organization_id, "shop")
      const path = `${page}/${shop.id}`
      const read = () => Effect.map(get(`/v1/projects/${shop.id}`, { key: acme.sandbox.key }), ({ status }) => status)
      assert.include(textOf((yield* someone.get(`${path}/archive`)).text), "Keys it has keep working")
      assert.strictEqual(yield* read(), 200)
      assert.strictEqual(
        (yield* someone.submit(`${path}/archive`, `${path}/archive`)).headers.location,
        `${path}?done=archived`
      )
      assert.strictEqual(yield* read(), 404)
      assert.strictEqual((yield* get("/v1/me", { key: shop.sandbox.key })).status, 200)
      assert.include(textOf((yield* someone.get(page)).text), "archived")
      yield* someone.submit(path, `${path}/restore`)
      assert.strictEqual(yield* read(), 200)
    })
  )

  it.effect("an organization at its limit cannot restore one, and says why (gaps-1 G)", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(other)
      const path = `${page}/${other.sibling.id}`
      yield* someone.submit(path, `${path}/archive`)
      yield* sql`update organization_counters set active_projects = 100 where organization_id = ${other.organization_id}`
      assert.strictEqual((yield* someone.submit(path, `${path}/restore`)).status, 409)
    })
  )

  it.effect("are deleted for good after their slug is typed A-AUTH-13 A-AUTH-15", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const gone = yield* seedProject(acme.organization_id, "gone")
      const path = `${page}/${gone.id}/delete`
      for (const name of ["", "GONE", "acme-one"]) {
        assert.strictEqual((yield* someone.submit(path, path, { name })).status, 400)
      }
      assert.strictEqual((yield* get("/v1/me", { key: gone.production.key })).status, 200)
      assert.strictEqual((yield* someone.submit(path, path, { name: "gone" })).headers.location, `${page}?done=deleted`)
      for (const { key } of [gone.sandbox, gone.production]) {
        assert.strictEqual((yield* get("/v1/me", { key })).body.error.code, "project_not_found")
      }
      assert.strictEqual((yield* someone.get(`${page}/${gone.id}`)).status, 404)
    })
  )

  it.effect("language, profile and name are changed here and shown in the API (gaps-1 G) A-PROJ-02 A-PROJ-03", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `${page}/${acme.sibling.id}`
      const save = (more: object) =>
        someone.submit(path, `${path}/settings`, {
          name: "Renamed",
          default_language: "es_ES",
          default_region: "US",
          profile: '{"a":[1]}',
          ...more
        })
      assert.strictEqual((yield* save({})).headers.location, `${path}?done=saved`)
      const { body } = yield* get(`/v1/projects/${acme.sibling.id}`, { key: acme.sandbox.key })
      assert.deepStrictEqual([body.name, body.default_language, body.profile], ["Renamed", "es_ES", { a: [1] }])
      assert.strictEqual(body.default_region, "US")
      for (const more of [
        { name: " " },
        { default_language: "fr_FR" },
        { default_region: "XX" },
        { profile: "[]" },
        { profile: "{" },
        { profile: `{"a":"${"x".repeat(16_400)}"}` }
      ]) {
        assert.strictEqual((yield* save(more)).status, 400)
      }
    })
  )

  it.effect("each environment has switches of its own (gaps-1 N)", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const path = `${page}/${acme.project.id}`
      const off = (id: string) =>
        Effect.map(
          sql<{ readonly off: string }>`select capabilities_off as off from environments where id = ${id}`,
          ([row]) => JSON.parse(row?.off ?? "null")
        )
      const flip = (environment: string, on: ReadonlyArray<string>) =>
        someone.submit(path, `${path}/capabilities`, { environment, on })
      assert.strictEqual(
        (yield* flip(acme.production.id, ["messaging", "groups"])).headers.location,
        `${path}?done=switched`
      )
      assert.deepStrictEqual(yield* off(acme.production.id), ["payments", "phone_provisioning"])
      assert.deepStrictEqual(yield* off(acme.sandbox.id), [])
      assert.strictEqual((yield* flip(other.sandbox.id, [])).status, 404)
      assert.strictEqual((yield* flip(acme.sibling.sandbox.id, [])).status, 404)
      assert.deepStrictEqual(yield* off(other.sandbox.id), [])
      yield* flip(acme.production.id, ["messaging", "groups", "payments", "phone_provisioning"])
      assert.deepStrictEqual(yield* off(acme.production.id), [])
    })
  )

  it.effect("take a spend cap in Brazilian notation, and refuse an ambiguous amount (gaps-1 N Monthly spend cap)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `${page}/${acme.project.id}`
      const save = (monthly_spend_cap: string) => someone.submit(path, `${path}/spend-cap`, { monthly_spend_cap })
      for (const [typed, shown] of [
        ["1.234,56", "1.234,56"],
        ["250", "250,00"],
        ["0,0195", "0,0195"]
      ] as const) {
        assert.strictEqual((yield* save(typed)).status, 303)
        const { text } = yield* someone.get(path)
        assert.include(textOf(text), `Monthly cap R$ ${shown}`)
        assert.include(text, `value="${shown}"`)
      }
      for (const typed of ["250.00", "1,234", "-5", "much"]) {
        const refused = yield* save(typed)
        assert.deepStrictEqual([refused.status, refused.text.includes(`value="${typed}"`)], [400, true])
      }
      assert.strictEqual((yield* save("")).status, 303)
      assert.include(textOf((yield* someone.get(path)).text), "Monthly cap none")
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other, get } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `${page}/${other.project.id}`
      for (const verb of ["", "/archive", "/delete"]) assert.strictEqual((yield* someone.get(path + verb)).status, 404)
      for (const verb of ["archive", "restore", "delete", "settings", "capabilities"]) {
        const fields = {
          slug: other.project.slug,
          name: "x",
          default_language: "pt_BR",
          profile: "{}",
          environment: other.sandbox.id
        }
        assert.strictEqual((yield* someone.submit("/dashboard", `${path}/${verb}`, fields)).status, 404)
      }
      assert.strictEqual((yield* get("/v1/me", { key: other.sandbox.key })).status, 200)
    })
  )
})
