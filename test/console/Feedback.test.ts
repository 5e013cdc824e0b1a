import { ReportAdmin } from "@carteiro/runtime/feedback/report/ReportAdmin.ts"
import { mayMove, reportStatuses } from "@carteiro/runtime/feedback/report/ReportStatus.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/feedback"
const report = (message: string, key: string, more: object = {}) =>
  Effect.flatMap(Api, ({ post }) => post("/v1/feedback", { message, ...more }, { key, idempotencyKey: message }))

it("a report goes into review, then to an end; reopening goes back into review (gaps-1 H)", () => {
  const moves = reportStatuses.flatMap((from) =>
    reportStatuses.filter((to) => mayMove(from, to)).map((to) => [from, to])
  )
  assert.deepStrictEqual(moves, [
    ["received", "in_review"],
    ["received", "resolved"],
    ["received", "closed"],
    ["in_review", "resolved"],
    ["in_review", "closed"],
    ["resolved", "in_review"],
    ["closed", "in_review"]
  ])
})

it.layer(DashboardTest, { excludeTestServices: true })("Feedback", (it) => {
  it.effect("shows reports with their status and every answer, newest first (gaps-1 H) A-FBK-32", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id: environment, key } = acme.sandbox
      const sent = yield* report("The docs miss a limit.", key, {
        related_error: { code: "rate_limited" },
        context: { a: "b" }
      })
      const path = `${page}/${environment}/${sent.body.id}`
      const someone = yield* signedIn(acme)
      assert.include(textOf((yield* someone.get(path)).text), "There is no answer yet.")
      const desk = yield* ReportAdmin
      const move = (to: "in_review" | "resolved", answer?: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          desk.move(
            sent.body.id,
            to,
            answer === undefined ? undefined : { disposition: "documented", public_summary: answer },
            now
          )
        )
      yield* move("in_review")
      assert.include(textOf((yield* someone.get(`${page}?environment=${environment}`)).text), "in review")
      yield* move("resolved", "It says so now.")
      yield* turnBy(1000)
      yield* move("in_review")
      yield* move("resolved", "And in the guide, too.")
      const shown = textOf((yield* someone.get(path)).text)
      for (const part of ["resolved", "The docs miss a limit.", "rate_limited", "documented"])
        assert.include(shown, part)
      assert.isBelow(shown.indexOf("And in the guide"), shown.indexOf("It says so now"))
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const address of [path, `${page}?environment=${environment}`]) {
        const seen = yield* member.get(address)
        assert.deepStrictEqual([seen.status, seen.text.includes("The docs miss a limit.")], [200, true], address)
      }
      const { text: file } = yield* someone.get(`${page}/export?environment=${environment}`)
      assert.include(file, `${sent.body.id},2026-01-01T`)
      const { body } = yield* get(`/v1/feedback/${sent.body.id}`, { key })
      assert.deepStrictEqual(
        [body.status, body.latest_resolution.public_summary],
        ["resolved", "And in the guide, too."]
      )
    })
  )

  it.effect("of two operators who answer at once, one is told to reload (gaps-1 H)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sent = yield* report("Twice.", acme.sandbox.key)
      const desk = yield* ReportAdmin
      const now = yield* Clock.currentTimeMillis
      const answer = (public_summary: string) =>
        Effect.result(desk.move(sent.body.id, "resolved", { disposition: "fixed", public_summary }, now))
      const both = yield* Effect.all([answer("one"), answer("two")], { concurrency: "unbounded" })
      assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      assert.strictEqual((yield* desk.findAnywhere(sent.body.id))?.resolutions.length, 1)
    })
  )

  it.effect("of another organization or environment answers 404 A-FBK-27", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sent = yield* report("Secret plans.", other.sandbox.key)
      const someone = yield* signedIn(acme)
      for (const environment of [other.sandbox.id, acme.sandbox.id]) {
        assert.strictEqual((yield* someone.get(`${page}/${environment}/${sent.body.id}`)).status, 404)
      }
      assert.strictEqual((yield* someone.get(`${page}/${acme.sandbox.id}/nonsense`)).status, 404)
    })
  )

  it.effect("a report of the dashboard is shown here and never through the API (gaps-1 H) A-FBK-28", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const sent = yield* report("From a form.", acme.production.key)
      yield* sql`update feedback_reports set origin = 'dashboard', api_key_id = null where id = ${sent.body.id}`
      const someone = yield* signedIn(acme)
      assert.include((yield* someone.get(`${page}?environment=${acme.production.id}`)).text, "From a form.")
      assert.strictEqual((yield* get(`/v1/feedback/${sent.body.id}`, { key: acme.production.key })).status, 404)
    })
  )
})
