import { deviceGrantType } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { csrfIn, DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const api = "/v1/agent-api-key-device-authorizations"
const page = "/dashboard/device"
const asked = { client_name: "Terminal", environment: "production", scopes: ["messages:read", "webhooks:read"] }

const start = (more: object = {}) => Effect.flatMap(Api, ({ post }) => post(api, { ...asked, ...more }))
const poll = (device_code: string) =>
  Effect.flatMap(Api, ({ post }) => post(`${api}/token`, { grant_type: deviceGrantType, device_code }))
const shown = (started: { readonly body: { readonly user_code: string } }) =>
  `${page}?user_code=${started.body.user_code}`
const wrongs = ["BBBB-BBBB", "CCCC-CCCC", "x", "'; select", "BCDFGHJ"]

it.layer(DashboardTest, { excludeTestServices: true })("Approving a device", (it) => {
  it.effect("shows an approver the whole request, and opening the link decides nothing A-DEV-18 (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const started = yield* start({ expires_at: "2027-02-03T00:00:00Z" })
      yield* turnBy(120_000)
      const text = textOf((yield* someone.get(shown(started))).text)
      for (const part of [
        started.body.user_code,
        "Terminal unverified name",
        "production",
        "Key expires 3 Feb 2027 00:00 UTC",
        "127.0.0.1",
        "2 minutes ago",
        "messages:read",
        "acme-one",
        "acme-two"
      ]) {
        assert.include(text, part)
      }
      assert.strictEqual((yield* poll(started.body.device_code)).status, 202)
      const typed = yield* someone.get(`${page}?user_code=${started.body.user_code.toLowerCase().replace("-", "")}`)
      assert.include(textOf(typed.text), "Terminal")
    })
  )

  it.effect("grants the scopes that are left ticked in the chosen project A-DEV-16 A-DEV-19", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const someone = yield* signedIn(acme)
      const started = yield* start()
      const id = started.body.id
      const approved = yield* someone.submit(shown(started), `${page}/${id}`, {
        decision: "approve",
        project_id: acme.sibling.id,
        scopes: ["messages:read", "messages:write", "api_keys:admin"]
      })
      assert.strictEqual(approved.headers.location, `${page}?done=approved`)
      const token = yield* poll(started.body.device_code)
      assert.deepStrictEqual([token.status, token.body.api_key.scopes], [200, ["messages:read"]])
      const me = yield* get("/v1/me", { key: token.body.api_key.secret })
      assert.deepStrictEqual([me.body.project.id, me.body.environment.kind], [acme.sibling.id, "production"])
      const again = yield* someone.submit("/dashboard", `${page}/${id}`, { decision: "deny" })
      assert.deepStrictEqual([again.status, textOf(again.text).includes("decided already")], [404, true])
    })
  )

  it.effect("a denial ends the request, whatever the rest of the form says A-DEV-23", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const started = yield* start()
      yield* someone.submit(shown(started), `${page}/${started.body.id}`, { project_id: acme.project.id })
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), [403, "authorization_denied", undefined])
    })
  )

  it.effect(
    "another organization's project, an archived one and a late approval decide nothing A-DEV-19 A-DEV-22",
    () =>
      Effect.gen(function* () {
        const { acme, other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const someone = yield* signedIn(acme)
        const started = yield* start()
        const approve = (project_id: string) =>
          someone.submit("/dashboard", `${page}/${started.body.id}`, { decision: "approve", project_id, scopes: [] })
        assert.strictEqual((yield* approve(other.project.id)).status, 404)
        yield* sql`update projects set archived_at = created_at where id = ${acme.sibling.id}`
        assert.notInclude((yield* someone.get(shown(started))).text, acme.sibling.id)
        assert.strictEqual((yield* approve(acme.sibling.id)).status, 404)
        yield* sql`update projects set archived_at = null where id = ${acme.sibling.id}`
        assert.strictEqual((yield* poll(started.body.device_code)).status, 202)
        yield* turnBy(900_000)
        assert.strictEqual((yield* approve(acme.project.id)).status, 404)
        assert.strictEqual((yield* someone.get(shown(started))).status, 404)
      })
  )

  it.effect("an approver chooses among several projects, and can deny without any project", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      const started = yield* start()
      assert.include((yield* someone.get(shown(started))).text, '<option value="" selected>Pick a project</option>')
      yield* sql`update projects set archived_at = created_at where id = ${acme.sibling.id}`
      assert.include((yield* someone.get(shown(started))).text, `<option value="${acme.project.id}" selected>`)
      yield* sql`update projects set archived_at = created_at where id = ${acme.project.id}`
      const none = yield* someone.get(shown(started))
      assert.deepStrictEqual([none.text.includes('value="approve"'), none.text.includes('value="deny"')], [false, true])
      yield* someone.submit(shown(started), `${page}/${started.body.id}`, { decision: "deny" })
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), [403, "authorization_denied", undefined])
      yield* sql`update projects set archived_at = null where organization_id = ${acme.organization_id}`
    })
  )

  it.effect("members see no request, cannot guess codes and decide nothing A-DEV-18 (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const started = yield* start()
      const answer = yield* someone.get(shown(started))
      assert.include(textOf(answer.text), "Only owners and admins approve devices")
      assert.notInclude(answer.text, "Terminal")
      for (const decision of ["approve", "deny"]) {
        const fields = { decision, project_id: acme.project.id }
        assert.strictEqual((yield* someone.submit("/dashboard", `${page}/${started.body.id}`, fields)).status, 403)
      }
      assert.strictEqual((yield* poll(started.body.device_code)).status, 202)
    })
  )

  it.effect("ten wrong codes within 15 minutes lock the form of the session for 15 minutes (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const right = yield* start()
      for (let wrong = 0; wrong < 9; wrong++) {
        const answer = yield* someone.get(`${page}?user_code=${encodeURIComponent(wrongs[wrong % 5] ?? "")}`)
        assert.strictEqual(answer.status, 404)
      }
      assert.strictEqual((yield* someone.get(shown(right))).status, 200)
      assert.strictEqual((yield* someone.get(`${page}?user_code=BBBB-BBBB`)).status, 429)
      const locked = yield* someone.get(shown(right))
      assert.deepStrictEqual([locked.status, locked.text.includes("Terminal")], [429, false])
      assert.include(textOf(locked.text), "Too many wrong codes. This form is locked until")
      const colleague = yield* signedIn(acme)
      assert.strictEqual((yield* colleague.get(shown(right))).status, 200)
      yield* turnBy(899_999)
      const later = yield* start()
      assert.strictEqual((yield* someone.get(shown(later))).status, 429)
      yield* turnBy(1)
      assert.strictEqual((yield* someone.get(shown(later))).status, 200)
    })
  )

  it.effect("wrong codes of many tabs at once count one by one (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      yield* Effect.all(
        Array.from({ length: 12 }, () => someone.get(`${page}?user_code=BBBB-BBBB`)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* someone.get(page)).status, 429)
    })
  )

  it.effect("wrong codes more than 15 minutes apart do not add up (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      for (let round = 0; round < 3; round++) {
        for (let wrong = 0; wrong < 9; wrong++) yield* someone.get(`${page}?user_code=BBBB-BBBB`)
        yield* turnBy(900_000)
      }
      assert.strictEqual((yield* someone.get(page)).status, 200)
    })
  )

  it.effect("an approver who lost the role before the poll grants nothing (gaps-1 E)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const id = yield* seedMember(acme, "admin")
      const someone = yield* signedIn(acme, id)
      const started = yield* start()
      const csrf = csrfIn((yield* someone.get(shown(started))).text)
      const fields = { csrf, decision: "approve", project_id: acme.project.id, scopes: "messages:read" }
      assert.strictEqual((yield* someone.post(`${page}/${started.body.id}`, fields)).status, 303)
      yield* sql`update members set role = 'member' where id = ${id}`
      assert.deepStrictEqual(told(yield* poll(started.body.device_code)), [403, "authorization_denied", undefined])
    })
  )
})
