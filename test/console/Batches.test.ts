import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { phone, recipients, seedBatches, shownPhone } from "../batches/BatchStage.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/batches"
const moving = '<meta http-equiv="refresh"'

it.layer(DashboardTest, { excludeTestServices: true })("Batches", (it) => {
  it.effect("show progress that moves by itself until the batch has ended", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sandbox
      const batches = yield* seedBatches(acme.sandbox)
      const made = (yield* batches.post({ name: "<b>Maio</b>", metadata: { tag: "<i>x</i>" } })).body
      const someone = yield* signedIn(acme)
      const path = `${page}/${id}/${made.id}`
      const list = yield* someone.get(`${page}?environment=${id}`)
      assert.include(list.text, moving)
      assert.include(list.text, `href="${path}"`)
      const early = yield* someone.get(path)
      assert.include(early.text, `${moving} content="2">`)
      assert.include(textOf(early.text), "This page moves by itself every 2 seconds. Hold it still")
      const still = yield* someone.get(`${path}?still=1`)
      assert.notInclude(still.text, moving)
      assert.include(textOf(still.text), "Let it move again")

      yield* turnBy(120_000)
      const { text } = yield* someone.get(path)
      for (const raw of ["<b>Maio", "<i>x</i>", moving]) assert.notInclude(text, raw)
      const shown = textOf(text)
      for (const part of [
        "<b>Maio</b>",
        "completed",
        "2 of 2",
        "2 Read",
        "welcome, pt_BR",
        shownPhone(0),
        shownPhone(1),
        "<i>x</i>"
      ])
        assert.include(shown, part)
      assert.match(
        text,
        new RegExp(`/dashboard/messages/${id}/msg_[0-9a-z]+"><span class="dialled">\\${shownPhone(0)}`)
      )
      assert.notInclude((yield* someone.get(`${page}?environment=${id}`)).text, moving)
    })
  )

  it.effect("are listed by status; failures and long lists of recipients have pages", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const batches = yield* seedBatches(acme.sibling.sandbox)
      yield* post("/v1/contacts/opt-out", { phone: phone(1) }, { key })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update contacts set profile_name = 'Rita Reis' where environment_id = ${id} and phone = ${phone(1)}`
      const done = (yield* batches.post({ recipients: recipients(30) })).body
      yield* turnBy(120_000)
      const waiting = (yield* batches.post({ scheduled_at: "2026-01-20T00:00:00Z" })).body
      const someone = yield* signedIn(acme)
      const ids = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/href="\/dashboard\/batches\/env_[0-9a-z]+\/(bat_[0-9a-z]+)"/g)].map(([, found]) => found)
        )
      assert.deepStrictEqual(yield* ids(""), [waiting.id, done.id])
      assert.deepStrictEqual(yield* ids("&status=completed"), [done.id])
      assert.deepStrictEqual(yield* ids("&status=scheduled"), [waiting.id])
      assert.deepStrictEqual(yield* ids("&status=bogus"), [waiting.id, done.id])
      assert.deepStrictEqual(yield* ids(`&before=${waiting.id}`), [done.id])
      const path = `${page}/${id}/${done.id}`
      const first = yield* someone.get(path)
      assert.include(first.text, shownPhone(24))
      assert.notInclude(first.text, shownPhone(25))
      const older = /href="([^"]+)">Older/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const second = yield* someone.get(older)
      for (const index of [25, 29]) assert.include(second.text, shownPhone(index))
      const failed = textOf((yield* someone.get(`${path}?show=failed`)).text)
      assert.include(failed, `Rita Reis ${shownPhone(1)} contact_opted_out`)
      assert.include(textOf(first.text), `Rita Reis ${shownPhone(1)}`)
      assert.notInclude(failed, shownPhone(0))
      assert.include(failed, "contact_opted_out 1 not told")
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.strictEqual(textOf((yield* member.get(`${path}?show=failed`)).text).includes(shownPhone(1)), true)
      assert.include((yield* member.get(older)).text, shownPhone(29))
      for (const after of ["-5", "x", "99999999"]) {
        assert.strictEqual((yield* someone.get(`${path}?after=${after}`)).status, 200)
      }
    })
  )

  it.effect("say that they wait for the daily allowance of their number, until when, and what to do M-MSG-06", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sandbox
      const batches = yield* seedBatches(acme.sandbox)
      const metadata = { sandbox_scenario: "messaging_limit_pacing" }
      const made = (yield* batches.post({ recipients: recipients(2).map((one) => ({ ...one, metadata })) })).body
      yield* turnBy(5_000)
      const someone = yield* signedIn(acme)
      const path = `${page}/${id}/${made.id}`
      const shown = textOf((yield* someone.get(path)).text)
      assert.include(shown, "2 messages wait for the daily allowance of")
      assert.match(shown, /in 24 hours\. The next try is \d+ Jan \d\d:\d\d:\d\d UTC \. They leave by themselves/)
      assert.include(textOf((yield* someone.get(`${path}?language=pt`)).text), "2 mensagens esperam pelo limite diário")
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include(textOf((yield* member.get(path)).text), "2 messages wait for the daily allowance of")
    })
  )

  it.effect('are paused, resumed and cancelled by owners and admins gaps-2 H "Pause, resume, cancel"', () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { id } = acme.sandbox
      const batches = yield* seedBatches(acme.sandbox)
      const { body } = yield* batches.post({ scheduled_at: "2026-01-20T00:00:00Z" })
      const path = `${page}/${id}/${body.id}`
      const status = Effect.map(batches.get(`/${body.id}`), (answer) => answer.body.status)
      const someone = yield* signedIn(acme)
      const command = (name: string) => someone.submit(path, `${path}/command`, { command: name })
      const buttons = Effect.map(someone.get(path), ({ text }) =>
        [...text.matchAll(/<button>(Pause|Resume)|>(Cancel…)</g)].map(([, button, link]) => button ?? link)
      )

      assert.deepStrictEqual(yield* buttons, ["Pause", "Cancel…"])
      assert.include(textOf((yield* someone.get(path)).text), "It waits for its start: 20 Jan 00:00:00")
      const paused = yield* command("pause")
      assert.deepStrictEqual([paused.status, paused.headers.location], [303, `${path}?done=batch_pause`])
      assert.include(textOf((yield* someone.get(paused.headers.location ?? "")).text), "Paused. What waits")
      assert.strictEqual(yield* status, "paused")
      assert.deepStrictEqual(yield* buttons, ["Resume", "Cancel…"])
      assert.include(textOf((yield* someone.get(path)).text), "nothing leaves until somebody presses “Resume”")
      assert.strictEqual((yield* command("resume")).status, 303)
      assert.strictEqual(yield* status, "scheduled")
      assert.strictEqual((yield* command("bogus")).status, 404)

      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(path)).text, "<button>Pause")
      const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec((yield* member.get("/dashboard")).text) ?? []
      assert.strictEqual((yield* member.post(`${path}/command`, { csrf, command: "cancel" })).status, 403)
      const stranger = yield* signedIn(other)
      assert.strictEqual((yield* stranger.submit("/dashboard", `${path}/command`, { command: "cancel" })).status, 404)
      assert.strictEqual((yield* someone.post(`${path}/command`, { command: "cancel" })).status, 403)
      assert.strictEqual(yield* status, "scheduled")

      const asking = yield* someone.get(`${path}/cancel`)
      assert.include(textOf(asking.text), "Cancel this batch?")
      const wrong = yield* someone.submit(`${path}/cancel`, `${path}/command`, { command: "cancel", name: "promo" })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not welcome.")], [400, true])
      assert.strictEqual(yield* status, "scheduled")
      const named = { command: "cancel", name: "welcome" }
      const cancelled = yield* someone.submit(`${path}/cancel`, `${path}/command`, named)
      assert.strictEqual(cancelled.headers.location, `${path}?done=batch_cancel`)
      assert.strictEqual(yield* status, "cancelled")
      assert.deepStrictEqual(yield* buttons, [])
      const by = `${acme.owner.name} , in the console\\.`
      assert.match(
        textOf((yield* someone.get(path)).text),
        new RegExp(`Accepted .* Paused [^.]*${by} Resumed [^.]*${by} Cancelled [^.]*${by}`)
      )
      const late = yield* someone.submit(`${path}/cancel`, `${path}/command`, { command: "pause" })
      assert.strictEqual(late.status, 409)
      assert.strictEqual((yield* someone.get(`${page}/${id}/bat_01kah7v3m8q6x2r9d4t5w0y1z3/cancel`)).status, 404)
    })
  )

  it.effect('are not moved without credit, as by the API gaps-3 D "production_blocked"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sibling.production
      const sql = yield* SqlClient.SqlClient
      const someone = yield* signedIn(acme)
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      const path = `${page}/${id}/bat_01kah7v3m8q6x2r9d4t5w0y1z3/command`
      const refused = yield* someone.submit("/dashboard", path, { command: "pause" })
      yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
      assert.strictEqual(refused.status, 402)
      for (const command of ["pause", "cancel"]) {
        assert.strictEqual((yield* someone.submit("/dashboard", path, { command })).status, 404)
      }
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const batches = yield* seedBatches(other.sandbox)
      const { id } = (yield* batches.post({ name: "private words" })).body
      yield* turnBy(120_000)
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${other.sandbox.id}/${id}`,
        `${page}/${acme.sandbox.id}/${id}`,
        `${page}/${acme.sandbox.id}/${id}?show=failed`,
        `${page}?environment=${other.sandbox.id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.strictEqual(status, 404, path)
        assert.notInclude(text, "private words")
      }
    })
  )
})
