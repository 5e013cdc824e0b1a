import * as Feedback from "@carteiro/runtime/feedback/room.ts"
import * as Mcp from "@carteiro/runtime/mcp/room.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedKey, type TestEnvironment } from "../support/Tenants.ts"
import { instant, told } from "../support/Told.ts"

let sent = 0
const report = (environment: Pick<TestEnvironment, "key">, body: unknown, idempotencyKey = `report-${++sent}`) =>
  Effect.flatMap(Api, ({ post }) => post("/v1/feedback", body, { key: environment.key, idempotencyKey }))

const stored = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<Record<string, unknown>>`select * from feedback_reports where id = ${id}`, (rows) => rows[0])
  )

const count = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`select count(*)::int4 as n from feedback_reports`, (rows) => rows[0]?.n)
)

it.layer(ApiTest(served(Feedback.room), Layer.empty), { excludeTestServices: true })("Feedback", (it) => {
  it.effect(
    "answers a receipt without the report's text, for any valid key A-FBK-01 A-FBK-04 A-FBK-05 A-FBK-06 A-FBK-07",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        for (const environment of [acme.sandbox, acme.production]) {
          const bare = yield* seedKey({ ...environment }, { scopes: [] })
          const { status, body, text } = yield* report(bare, {
            message: "The moon is late.",
            related_error: { code: "route_not_found" },
            context: { page: "docs" }
          })
          assert.strictEqual(status, 201)
          assert.match(body.id, /^fbk_[0-9a-z]{26}$/)
          assert.match(body.received_at, instant)
          assert.deepStrictEqual(body, {
            id: body.id,
            object: "feedback_receipt",
            received_at: body.received_at,
            redacted: false,
            trace_id: body.trace_id
          })
          for (const part of ["moon", "route_not_found", "docs"]) assert.notInclude(text, part)
        }
      })
  )

  it.effect("takes organization, project, environment and key from the calling key A-FBK-18 A-FBK-11", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { body } = yield* report(acme.production, {
        message: "  text  ",
        related_error: { request_id: "<b>1</b>" },
        context: {}
      })
      const row = yield* stored(body.id)
      assert.strictEqual(row?.organization_id, acme.organization_id)
      assert.strictEqual(row?.project_id, acme.project.id)
      assert.strictEqual(row?.environment_id, acme.production.id)
      assert.strictEqual(row?.api_key_id, acme.production.key_id)
      assert.strictEqual(row?.origin, "api")
      assert.strictEqual(row?.message, "text")
      assert.strictEqual(row?.related_error, '{"request_id":"<b>1</b>"}')
    })
  )

  it.effect("needs an Idempotency-Key that is not blank A-FBK-03 A-IDEM-11", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      for (const idempotencyKey of [undefined, "", "   "]) {
        const answer = yield* post(
          "/v1/feedback",
          { message: "x" },
          {
            key: acme.sandbox.key,
            ...(idempotencyKey === undefined ? {} : { idempotencyKey })
          }
        )
        assert.deepStrictEqual(told(answer), [400, "missing_idempotency_key", "Idempotency-Key"])
      }
    })
  )

  it.effect("is accepted while production credit is exhausted A-FBK-02 A-AUTH-18", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      yield* sql`update organizations set credit_blocked = true where id = ${other.organization_id}`
      assert.strictEqual((yield* report(other.production, { message: "x" })).status, 201)
      yield* sql`update organizations set credit_blocked = false where id = ${other.organization_id}`
    })
  )

  it.effect("refuses a body that breaks a rule and stores nothing A-FBK-08..16 A-FBK-19", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const before = yield* count
      const entries = (n: number, value: string) =>
        Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, value]))
      for (const [body, param] of [
        [{}, "message"],
        [{ message: "   " }, "message"],
        [{ message: "x".repeat(2001) }, "message"],
        [{ message: null }, "message"],
        [{ message: "x", related_error: null }, "related_error"],
        [{ message: "x", related_error: { code: "" } }, "related_error.code"],
        [{ message: "x", related_error: { stack: "y" } }, "related_error.stack"],
        [{ message: "x", context: null }, "context"],
        [{ message: "x", context: { a: 1 } }, "context.a"],
        [{ message: "x", context: { a: { b: "c" } } }, "context.a"],
        [{ message: "x", context: { a: "y".repeat(1025) } }, "context.a"],
        [{ message: "x", context: { ["k".repeat(65)]: "y" } }, "context"],
        [{ message: "x", context: entries(33, "y") }, "context"],
        [{ message: "x", context: entries(20, "y".repeat(1000)) }, "context"],
        [{ message: "x", status: "resolved" }, "status"],
        [{ message: "x", redacted: true }, "redacted"],
        [{ message: "x", api_key_id: "key_x" }, "api_key_id"],
        ["[]", undefined]
      ] as const) {
        const answer = yield* report(acme.sandbox, body)
        assert.deepStrictEqual(
          told(answer),
          [400, "invalid_feedback_report_request", param],
          JSON.stringify(body).slice(0, 80)
        )
      }
      assert.strictEqual(yield* count, before)
    })
  )

  it.effect("refuses a body over 32 KiB without a param, and takes one of exactly 32 KiB A-FBK-17", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const padded = (bytes: number) => {
        const text = JSON.stringify({ message: "x" })
        return `${text.slice(0, -1)}${" ".repeat(bytes - text.length)}}`
      }
      assert.strictEqual((yield* report(acme.sandbox, padded(32_768))).status, 201)
      const over = yield* report(acme.sandbox, padded(32_769))
      assert.deepStrictEqual(told(over), [400, "invalid_feedback_report_request", undefined])
      const huge = yield* report(acme.sandbox, padded(10_485_761))
      assert.deepStrictEqual(told(huge), [413, "payload_too_large", undefined])
    })
  )

  it.effect("redacts credentials before storage and says so A-FBK-22 A-FBK-23 A-FBK-24", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const secrets = [acme.sandbox.key, acme.production.key, "Bearer abcdefgh1234", "hunter2hunter2"]
      const { body } = yield* report(acme.sandbox, {
        message: `I sent ${secrets[0]} and ${secrets[1]} as ${secrets[2]}`,
        related_error: { code: secrets[0] },
        context: { "X-Api-Key": secrets[3], note: `was ${secrets[1]}` }
      })
      assert.isTrue(body.redacted)
      const row = JSON.stringify(yield* stored(body.id))
      for (const secret of secrets) assert.notInclude(row, secret)
      assert.include(row, "[REDACTED]")
    })
  )

  it.effect("refuses text that cannot be redacted safely, and stores nothing A-FBK-20", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const before = yield* count
      for (const [body, param] of [
        [{ message: "-----BEGIN RSA PRIVATE KEY-----\nMII" }, "message"],
        [{ message: "x", context: { [acme.sandbox.key]: "y" } }, "context"],
        [{ message: "-----BEGIN PRIVATE KEY-----", context: 5, surplus: 1 }, "message"]
      ] as const) {
        const answer = yield* report(acme.sandbox, body)
        assert.deepStrictEqual(told(answer), [400, "invalid_feedback_report_request", param])
        assert.notInclude(answer.text, acme.sandbox.key)
      }
      assert.strictEqual(yield* count, before)
    })
  )

  it.effect("answers a replay with the first receipt and stores nothing new A-FBK-21 A-IDEM-04 A-IDEM-05", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const first = yield* report(acme.sandbox, { message: "once" }, "same")
      const after = yield* count
      const second = yield* report(acme.sandbox, { message: "once" }, "same")
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.strictEqual(second.headers["svc-idempotent-replayed"], "true")
      const other = yield* report(acme.sandbox, { message: "another" }, "same")
      assert.deepStrictEqual(told(other), [409, "idempotency_key_conflict", undefined])
      assert.strictEqual(yield* count, after)
    })
  )

  it.effect("lists newest first, page by page, with `after` A-FBK-25 A-FBK-26", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const environment = other.sibling.sandbox
      const ids: Array<string> = []
      for (let i = 0; i < 3; i++) {
        yield* turnBy(10)
        ids.unshift((yield* report(environment, { message: `number ${i}` })).body.id)
      }
      const list = (query: string) => get(`/v1/feedback${query}`, { key: environment.key })
      const first = yield* list("?limit=2")
      const rest = yield* list(`?limit=2&after=${first.body.next_cursor}`)
      assert.deepStrictEqual(
        [...first.body.data, ...rest.body.data].map(({ id }) => id),
        ids
      )
      assert.deepStrictEqual([first.body.has_more, rest.body.has_more, rest.body.next_cursor], [true, false, null])
      for (const [query, param] of [
        ["?limit=51", "limit"],
        ["?limit=0", "limit"],
        ["?starting_after=x", "starting_after"],
        ["?after=a&after=b", "after"]
      ] as const) {
        assert.deepStrictEqual(told(yield* list(query)), [400, "invalid_query", param])
      }
      assert.deepStrictEqual(told(yield* list("?after=nonsense")), [400, "invalid_cursor", "after"])
      assert.deepStrictEqual(told(yield* list("?after=")), [400, "invalid_cursor", "after"])
    })
  )

  it.effect("reports a malformed query before it reads data A-FBK-36 A-FBK-37 A-FBK-38", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table feedback_reports rename to feedback_reports_away`
      const list = (query: string) => get(`/v1/feedback${query}`, { key: acme.sandbox.key })
      assert.deepStrictEqual(told(yield* list("?limit=51")), [400, "invalid_query", "limit"])
      assert.deepStrictEqual(told(yield* list("?after=nonsense")), [400, "invalid_cursor", "after"])
      yield* sql`alter table feedback_reports_away rename to feedback_reports`
    })
  )

  it.effect("shows reports of its environment, whichever key sent them A-FBK-27 A-FBK-29 A-FBK-35", () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const { body } = yield* report(acme.sandbox, { message: "whose?" })
      const path = `/v1/feedback/${body.id}`
      const replacement = yield* seedKey(acme.sandbox, { scopes: ["messages:read"] })
      assert.strictEqual((yield* get(path, replacement)).body.message_excerpt, "whose?")
      for (const { key } of [acme.production, acme.sibling.sandbox, other.sandbox]) {
        assert.deepStrictEqual(told(yield* get(path, { key })), [404, "feedback_report_not_found", undefined])
        assert.notInclude((yield* get("/v1/feedback", { key })).text, body.id)
      }
      const scopeless = yield* seedKey(acme.sandbox, { scopes: ["messages:write"] })
      assert.strictEqual((yield* get(path, scopeless)).body.error.code, "insufficient_scope")
      assert.strictEqual((yield* get("/v1/feedback", scopeless)).body.error.code, "insufficient_scope")
    })
  )

  it.effect("hides reports of the dashboard A-FBK-28 A-FBK-35", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { body } = yield* report(acme.sandbox, { message: "from the page" })
      yield* sql`update feedback_reports set origin = 'dashboard', api_key_id = null where id = ${body.id}`
      const options = { key: acme.sandbox.key }
      const read = yield* get(`/v1/feedback/${body.id}`, options)
      assert.deepStrictEqual(told(read), [404, "feedback_report_not_found", undefined])
      assert.notInclude((yield* get("/v1/feedback", options)).text, body.id)
      const missing = yield* get("/v1/feedback/fbk_none", options)
      assert.deepStrictEqual(told(missing), [404, "feedback_report_not_found", undefined])
    })
  )

  it.effect("shows the minimized report with its latest resolution A-FBK-30 A-FBK-31 A-FBK-32 A-FBK-33 A-FBK-34", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const message = `line one\nline two ${"é".repeat(300)}`
      const { body } = yield* report(acme.production, { message, context: { where: "hidden-place" } })
      const path = `/v1/feedback/${body.id}`
      const fresh = yield* get(path, { key: acme.production.key })
      assert.deepStrictEqual(fresh.body, {
        id: body.id,
        object: "feedback_report",
        status: "received",
        message_excerpt: message.replace("\n", " ").slice(0, 160),
        created_at: body.received_at,
        latest_resolution: null,
        trace_id: fresh.body.trace_id
      })
      yield* sql`update feedback_reports set status = 'resolved' where id = ${body.id}`
      for (const [number, disposition] of [
        [1, "documented"],
        [2, "fixed"]
      ] as const) {
        yield* sql`insert into feedback_resolutions (environment_id, feedback_report_id, number, disposition,
            public_summary, published_at)
          values (${acme.production.id}, ${body.id}, ${number}, ${disposition}, 'Done.', '2026-02-01T00:00:00Z')`
      }
      const solved = yield* get(path, { key: acme.production.key })
      assert.strictEqual(solved.body.status, "resolved")
      assert.deepStrictEqual(solved.body.latest_resolution, {
        disposition: "fixed",
        public_summary: "Done.",
        published_at: "2026-02-01T00:00:00.000Z"
      })
      for (const part of ["hidden-place", "documented", acme.production.key_id]) assert.notInclude(solved.text, part)
    })
  )

  it.effect("is purged 365 days after it was sent A-FBK-35", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { body } = yield* report(acme.sandbox, { message: "old" })
      const status = Effect.map(get(`/v1/feedback/${body.id}`, { key: acme.sandbox.key }), (read) => read.status)
      const sql = yield* SqlClient.SqlClient
      const purgeAtAge = Effect.fnUntraced(function* (millis: number) {
        const created = new Date((yield* Clock.currentTimeMillis) - millis)
        yield* sql`update feedback_reports set created_at = ${created} where id = ${body.id}`
        for (const { run } of Feedback.room.jobs) yield* run
      })
      yield* purgeAtAge(365 * 86_400_000 - 1)
      assert.strictEqual(yield* status, 200)
      yield* purgeAtAge(365 * 86_400_000)
      assert.strictEqual(yield* status, 404)
    })
  )
})

const limited = ApiTest(served(Feedback.room, Mcp.room), Layer.empty, { rates: standardRates })

it.layer(limited, { excludeTestServices: true })("Feedback under its limits", (it) => {
  it.effect("is limited per key and per organization, and replays are free A-FBK-39 A-FBK-41", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const refused = [429, "rate_limited", undefined]
      const message = { message: "x" }
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* report(acme.sandbox, message, `k${i}`)).status, 201)
      const over = yield* report(acme.sandbox, message, "k2")
      assert.deepStrictEqual(told(over), refused)
      assert.strictEqual(over.body.error.retry_after_ms, 360_000)
      assert.strictEqual(over.headers["retry-after"], "360")
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* report(acme.sandbox, message, "k0")).status, 201)
      const second = yield* seedKey(acme.sandbox)
      const third = yield* seedKey(acme.sandbox)
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* report(second, message)).status, 201)
      assert.strictEqual((yield* report(third, message)).status, 201)
      assert.deepStrictEqual(told(yield* report(third, message)), refused)
      yield* turnBy(360_000)
      assert.strictEqual((yield* report(acme.sandbox, message, "k2")).status, 201)
    })
  )

  it.effect("spends no token on a refused body, also for text that cannot be redacted A-FBK-20 A-FBK-39", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const unsafe = { message: "-----BEGIN PRIVATE KEY-----" }
      for (let i = 0; i < 5; i++) {
        assert.strictEqual((yield* report(other.sandbox, {})).status, 400)
        assert.strictEqual((yield* report(other.sandbox, unsafe)).status, 400)
      }
      assert.strictEqual((yield* report(other.sandbox, { message: "x" }, "taken")).status, 201)
      assert.deepStrictEqual(told(yield* report(other.sandbox, unsafe, "taken")), [
        400,
        "invalid_feedback_report_request",
        "message"
      ])
      assert.strictEqual((yield* report(other.sandbox, { message: "x" })).status, 201)
      // Also when nothing is left to spend.
      assert.strictEqual((yield* report(other.sandbox, { message: "x" })).status, 429)
      assert.strictEqual((yield* report(other.sandbox, unsafe)).status, 400)
    })
  )

  it.effect("shares its read limit with the tools of MCP, which answer 429 as HTTP does (gaps-1 I, M)", () =>
    Effect.gen(function* () {
      const { other, get, post } = yield* Api
      const { key } = yield* seedKey(other.sibling.sandbox)
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_feedback" } }
      for (let i = 0; i < 49; i++) assert.strictEqual((yield* post("/mcp", call, { key })).status, 200)
      assert.strictEqual((yield* get("/v1/feedback", { key })).status, 200)
      const over = yield* post("/mcp", call, { key })
      assert.deepStrictEqual(told(over), [429, "rate_limited", undefined])
      assert.deepStrictEqual([over.headers["retry-after"], over.body.error.retry_after_ms], ["1", 40])
      yield* turnBy(40)
      assert.strictEqual((yield* post("/mcp", call, { key })).status, 200)
    })
  )

  it.effect("is stricter for sandbox keys than for production keys A-FBK-40", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* report(other.production, { message: "x" })).status, 201)
      assert.strictEqual((yield* report(other.production, { message: "x" })).status, 429)
    })
  )
})
