import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/flows"

const body = (name: string, screen: object = { id: "DATE", title: "When <b>now</b>?" }) => ({
  name,
  categories: ["APPOINTMENT_BOOKING"],
  flow_json: { version: "7.2", screens: [screen] }
})

it.layer(DashboardTest, { excludeTestServices: true })("Flows", (it) => {
  it.effect(
    'are listed newest first, and one shows its definition with all values escaped gaps-2 G "Flow routes"',
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { id, key } = acme.sandbox
        const first = (yield* post("/v1/flows", body("Appointment"), { key })).body.id
        const second = (yield* post("/v1/flows", body("<i>Survey</i>"), { key })).body.id
        const long = (yield* post("/v1/flows", body("Long", { id: "A", title: "x".repeat(60_001) }), { key })).body.id
        const someone = yield* signedIn(acme)
        const ids = (query: string) =>
          Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
            [...text.matchAll(/href="\/dashboard\/flows\/env_[0-9a-z]+\/(flw_[0-9a-z]+)"/g)].map(([, found]) => found)
          )
        assert.deepStrictEqual(yield* ids(""), [long, second, first])
        assert.deepStrictEqual(yield* ids(`&before=${second}`), [first])
        const list = yield* someone.get(`${page}?environment=${id}`)
        assert.notInclude(list.text, "<i>Survey")
        for (const part of ["<i>Survey</i> draft APPOINTMENT_BOOKING 1 Jan", "/v1/flows"])
          assert.include(textOf(list.text), part)
        const file = yield* someone.get(`${page}/export?environment=${id}`)
        assert.include(file.text, `${first},Appointment,draft,`)
        const { text } = yield* someone.get(`${page}/${id}/${first}`)
        assert.notInclude(text, "<b>now")
        for (const part of ['"title": "When <b>now</b>?"', "Status draft", "No webhook was sent"])
          assert.include(textOf(text), part)
        const whole = yield* someone.get(`${page}/${id}/${long}`)
        assert.notInclude(whole.text, "x".repeat(8))
        assert.include(textOf(whole.text), "too many for this page")
        const found = yield* someone.get(`/dashboard/search?q=${first}`)
        assert.include(found.text, `href="${page}/${id}/${first}"`)
      })
  )

  it.effect("are published, deprecated and deleted by owners and admins, each with an audit row M-FLOW-07", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.sandbox
      const flow = (yield* post("/v1/flows", body("By hand"), { key })).body.id
      const draft = (yield* post("/v1/flows", body("Draft"), { key })).body.id
      const path = `${page}/${id}/${flow}`
      const status = (one: string) =>
        Effect.map(get(`/v1/flows/${one}`, { key }), (answer) => answer.body.status ?? answer.status)
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const words of [">Publish<", "Delete…"]) {
        assert.include((yield* someone.get(path)).text, words)
        assert.notInclude((yield* member.get(path)).text, words)
      }
      for (const step of ["publish", "deprecate", "delete"])
        assert.strictEqual((yield* member.submit("/dashboard", `${path}/${step}`, { name: "By hand" })).status, 403)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update environments set capabilities_off = '["messaging"]' where id = ${id}`
      assert.strictEqual((yield* someone.submit(path, `${path}/publish`)).status, 403)
      yield* sql`update environments set capabilities_off = '[]' where id = ${id}`
      assert.strictEqual(
        (yield* someone.submit(path, `${path}/publish`)).headers.location,
        `${path}?done=flow_published`
      )
      assert.strictEqual(yield* status(flow), "published")
      assert.strictEqual((yield* someone.submit(path, `${path}/publish`)).status, 409)
      assert.strictEqual((yield* someone.submit(path, `${path}/delete`, { name: "By hand" })).status, 409)
      const shown = (yield* someone.get(path)).text
      assert.deepStrictEqual([shown.includes(">Publish<"), shown.includes("Deprecate…")], [false, true])
      for (const [one, name, step, to] of [
        [flow, "By hand", "deprecate", `${path}?done=flow_deprecated`],
        [draft, "Draft", "delete", `${page}?environment=${id}&done=flow_deleted`]
      ] as const) {
        const asked = `${page}/${id}/${one}/${step}`
        assert.include(textOf((yield* someone.get(asked)).text), `Type ${name} to confirm`)
        const wrong = yield* someone.submit(asked, asked, { name: "Another" })
        assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes(`That is not ${name}.`)], [400, true])
        assert.strictEqual((yield* someone.submit(asked, asked, { name })).headers.location, to)
      }
      assert.deepStrictEqual([yield* status(flow), yield* status(draft)], ["deprecated", 404])
      assert.deepStrictEqual(
        yield* sql`select action, subject, environment_id from audit_log where action like 'flow.%' order by id`,
        [
          { action: "flow.published", subject: flow, environment_id: id },
          { action: "flow.deprecated", subject: flow, environment_id: id },
          { action: "flow.deleted", subject: draft, environment_id: id }
        ]
      )
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, get, other, post } = yield* Api
      const { id, key } = other.sandbox
      const flow = (yield* post("/v1/flows", body("Private"), { key })).body.id
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${id}/${flow}`,
        `${page}/${acme.sandbox.id}/${flow}`,
        `${page}/${acme.sandbox.id}/${flow}/delete`,
        `${page}?environment=${id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.deepStrictEqual([status, text.includes("Private")], [404, false], path)
      }
      const here = `${page}/${acme.sandbox.id}/${flow}/delete`
      assert.strictEqual((yield* someone.submit("/dashboard", here, { name: "Private" })).status, 404)
      assert.strictEqual((yield* get(`/v1/flows/${flow}`, { key })).body.status, "draft")
    })
  )
})
