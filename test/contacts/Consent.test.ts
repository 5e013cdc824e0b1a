import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ phone: `+55119${String(10_000_000 + from + n)}` }))

const stage = Effect.fnUntraced(function* (name: string) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { key } = sandbox
  const post = (path: string, body: unknown, idempotencyKey?: string) =>
    api.post(`/v1/contacts/${path}`, body, { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
  const list = (query = "") => Effect.map(api.get(`/v1/contacts?limit=100${query}`, { key }), ({ body }) => body.data)
  return { ...api, sandbox, key, post, list }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Consent", (it) => {
  it.effect("imports rows: each customer once, the first spelling, the last metadata M-CON-01 M-CON-04 M-CON-06", () =>
    Effect.gen(function* () {
      const { list, post } = yield* stage("import")
      const { body, status } = yield* post("bulk-import", {
        rows: [
          { phone: "+551187654321", metadata: { n: 1 } },
          { phone: "+5511987650000" },
          { phone: "55 (11) 98765-4321", metadata: { n: 2 } },
          { phone: "+5511987654321" }
        ]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual([body.object, body.imported, body.skipped], ["contact_bulk_import", 2, 0])
      assert.deepStrictEqual(
        body.data.map((one: { phone: string; metadata: unknown }) => [one.phone, one.metadata]),
        [
          ["+551187654321", { n: 2 }],
          ["+5511987650000", null]
        ]
      )
      assert.strictEqual((yield* list()).length, 2)
    })
  )

  it.effect(
    "opts in every named customer, defaults source to api, and counts the new ones M-CON-03 M-CON-05 M-CON-06",
    () =>
      Effect.gen(function* () {
        const { get, key, post } = yield* stage("counts")
        yield* post("opt-in", { phone: "+5511987650001", source: "form" })
        yield* post("opt-out", { phone: "+5511987650002" })
        yield* turnBy(1000)
        const rows = [1, 2, 3].map((n) => ({ phone: `+551198765000${n}` }))
        const { body } = yield* post("bulk-import", { rows })
        assert.deepStrictEqual([body.imported, body.skipped], [2, 1])
        assert.deepStrictEqual(
          body.data.map((one: { opt_in_status: string; source: string }) => [one.opt_in_status, one.source]),
          [
            ["opted_in", "form"],
            ["opted_in", "api"],
            ["opted_in", "api"]
          ]
        )
        // A choice that stands keeps its instant; what it replaces stays on record.
        assert.strictEqual(body.data[0].updated_at, "2026-01-01T00:00:00.000Z")
        assert.strictEqual(body.data[1].opted_out_at, "2026-01-01T00:00:00.000Z")
        assert.strictEqual(body.data[1].opted_in_at, "2026-01-01T00:00:01.000Z")
        const { body: read, status } = yield* get(`/v1/contacts/${body.data[1].id}`, { key })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual({ ...read, trace_id: undefined }, { ...body.data[1], trace_id: undefined })
        assert.deepStrictEqual(Object.keys(read).sort(), [
          "created_at",
          "environment",
          "id",
          "last_inbound_at",
          "marketing_stopped",
          "metadata",
          "object",
          "opt_in_status",
          "opted_in_at",
          "opted_out_at",
          "phone",
          "profile_name",
          "source",
          "trace_id",
          "updated_at",
          "user_id",
          "username"
        ])
      })
  )

  it.effect("takes 1 to 1000 rows M-CON-02 M-LIM-01", () =>
    Effect.gen(function* () {
      const { list, post } = yield* stage("limits")
      for (const rows of [[], rowsOf(1001)]) {
        const { body, status } = yield* post("bulk-import", { rows })
        assert.deepStrictEqual(
          [status, body.error.type, body.error.code, body.error.param],
          [400, "validation_error", "invalid_contact_request", "rows"]
        )
      }
      assert.deepStrictEqual(yield* list(), [])
      const { body, status } = yield* post("bulk-import", { rows: rowsOf(1000) }, "thousand")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual([body.imported, body.data.length], [1000, 1000])
    })
  )

  it.effect('imports nothing when one phone is bad, and names it gaps-2 I "Bulk import results"', () =>
    Effect.gen(function* () {
      const { list, post } = yield* stage("badrow")
      const good = { phone: "+5511987650001" }
      for (const [row, code, param] of [
        [{ phone: "123" }, "invalid_phone_e164", "rows.1.phone"],
        [{ phone: 5511987650001 }, "invalid_phone_e164", "rows.1.phone"],
        [{}, "invalid_contact_request", "rows.1.phone"],
        [{ phone: "+5511987650002", metadata: [] }, "invalid_contact_request", "rows.1.metadata"],
        ["+5511987650002", "invalid_contact_request", "rows.1"]
      ] as const) {
        const { body, status } = yield* post("bulk-import", { rows: [good, row] })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, code, param])
      }
      for (const source of ["", "x".repeat(65), 7]) {
        const { body, status } = yield* post("bulk-import", { rows: [good], source })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_contact_request", "source"])
      }
      assert.deepStrictEqual(yield* list(), [])
    })
  )

  it.effect("replays an identical import and refuses another under its key M-CON-07", () =>
    Effect.gen(function* () {
      const { post } = yield* stage("replayed")
      const first = yield* post("bulk-import", { rows: rowsOf(3) }, "k")
      assert.strictEqual(first.body.imported, 3)
      assert.strictEqual((yield* post("bulk-import", { rows: rowsOf(3) }, "k")).text, first.text)
      const other = yield* post("bulk-import", { rows: rowsOf(4) }, "k")
      assert.deepStrictEqual([other.status, other.body.error.code], [409, "idempotency_key_conflict"])
    })
  )

  it.effect("opts one phone out a call, creates its contact, and repeats the first answer M-CON-08 M-CON-12", () =>
    Effect.gen(function* () {
      const { list, post, sandbox } = yield* stage("optout")
      const sql = yield* SqlClient.SqlClient
      const body = { phone: "+5511987650001", source: "support", reason: "asked", metadata: { a: 1 } }
      const first = yield* post("opt-out", body, "out")
      assert.strictEqual(first.status, 200)
      const { opt_in_status, opted_in_at, opted_out_at, source } = first.body
      assert.deepStrictEqual(
        [opt_in_status, opted_in_at, opted_out_at, source],
        ["opted_out", null, first.body.created_at, "support"]
      )
      yield* turnBy(1000)
      assert.strictEqual((yield* post("opt-out", body, "out")).text, first.text)
      // Without the key the record of the first stays as it is.
      const again = yield* post("opt-out", { ...body, source: "other" })
      assert.deepStrictEqual({ ...again.body, trace_id: "" }, { ...first.body, trace_id: "" })
      assert.strictEqual((yield* list("&opt_in_status=opted_out")).length, 1)
      const events = yield* sql`select type, source, reason from consent_events where environment_id = ${sandbox.id}`
      assert.deepStrictEqual(events, [{ type: "opted_out", source: "support", reason: "asked" }])
      for (const bad of [{ phone: ["+5511987650001"] }, { phone: "+5511987650001,+5511987650002" }]) {
        const { body, status } = yield* post("opt-out", bad)
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_phone_e164", "phone"])
      }
      const missing = yield* post("opt-out", {})
      assert.deepStrictEqual(
        [missing.status, missing.body.error.code, missing.body.error.param],
        [400, "invalid_contact_request", "phone"]
      )
    })
  )

  it.effect('lists newest first and narrows by phone, choice and source gaps-2 I "Opt-in, opt-out, reads"', () =>
    Effect.gen(function* () {
      const { get, key, list, other, post } = yield* stage("lists")
      for (const n of [1, 2, 3]) {
        yield* post("opt-in", { phone: `+551198765000${n}`, source: n === 2 ? "form" : "crm" })
        yield* turnBy(1)
      }
      yield* post("opt-out", { phone: "+5511987650003" })
      const phones = (rows: ReadonlyArray<{ readonly phone: string }>) => rows.map(({ phone }) => phone.at(-1))
      assert.deepStrictEqual(phones(yield* list()), ["3", "2", "1"])
      assert.deepStrictEqual(phones(yield* list("&phone=%2B551187650002")), ["2"])
      assert.deepStrictEqual(phones(yield* list("&opt_in_status=opted_in")), ["2", "1"])
      assert.deepStrictEqual(phones(yield* list("&source=crm")), ["1"])
      assert.deepStrictEqual(phones(yield* list("&source=crm&phone=%2B5511987650002")), [])
      const short = (yield* get("/v1/contacts?phone=12", { key })).body.error
      assert.deepStrictEqual([short.code, short.param], ["invalid_phone_e164", "phone"])
      for (const [query, param] of [
        ["opt_in_status=maybe", "opt_in_status"],
        ["source=", "source"],
        ["name=x", "name"]
      ] as const) {
        const { body, status } = yield* get(`/v1/contacts?${query}`, { key })
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_query", param])
      }
      const [mine] = yield* list()
      for (const [id, as] of [
        ["con_01kah7v3m8q6x2r9d4t5w0y1z3", key],
        ["nonsense", key],
        [mine.id, other.sandbox.key]
      ] as const) {
        const { body, status } = yield* get(`/v1/contacts/${id}`, { key: as })
        assert.deepStrictEqual([status, body.error.type, body.error.code], [404, "not_found", "contact_not_found"])
      }
    })
  )

  it.effect("a filter that few contacts match walks 5,000 a page and continues by its cursor A-CONV-13", () =>
    Effect.gen(function* () {
      const { get, key, post, sandbox } = yield* stage("walked")
      const sql = yield* SqlClient.SqlClient
      yield* post("opt-in", { phone: "+5511987650001", source: "form" })
      yield* turnBy(1)
      yield* post("opt-out", { phone: "+5511987650002" })
      yield* sql`insert into contacts select c.* from contacts m cross join generate_series(1, 12000) n
        cross join lateral jsonb_populate_record(m, jsonb_build_object('id', 'con_7' || lpad(n::text, 25, '0'),
          'match_key', 'k' || n, 'source', 'crm')) c
        where m.environment_id = ${sandbox.id} and m.source = 'form'`.pipe(Effect.orDie)
      const pagesOf = Effect.fnUntraced(function* (filter: string) {
        const pages: Array<ReadonlyArray<string>> = []
        let cursor = ""
        for (;;) {
          const { body } = yield* get(`/v1/contacts?limit=5&${filter}${cursor}`, { key })
          assert.strictEqual(body.has_more, body.next_cursor !== null)
          pages.push(body.data.map(({ phone }: { readonly phone: string }) => phone))
          if (!body.has_more) return pages
          cursor = `&starting_after=${body.next_cursor}`
        }
      })
      assert.deepStrictEqual(yield* pagesOf("source=form"), [[], [], ["+5511987650001"]])
      assert.deepStrictEqual(yield* pagesOf("opt_in_status=opted_out&source=api"), [[], [], ["+5511987650002"]])
      // An index leads from the phone.
      assert.deepStrictEqual(yield* pagesOf("phone=%2B5511987650001&source=form"), [["+5511987650001"]])
    })
  )

  it.effect("blocks every later send to an opted-out phone, in any spelling M-CON-13", () =>
    Effect.gen(function* () {
      const { key, post, sandbox } = yield* stage("blocked")
      const api = yield* Api
      const number = yield* seedNumber(sandbox)
      const heard = { channel: "chatapp", from: "+5511987654321", to: number.id, type: "text", text: { body: "oi" } }
      yield* api.post("/v1/sandbox/inbound-messages", heard, { key })
      const send = api.post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: "+5511987654321" },
          message: { type: "text", text: { body: "olá" } }
        },
        { key }
      )
      assert.strictEqual((yield* send).status, 202)
      yield* post("opt-out", { phone: "+551187654321" })
      const refused = yield* send
      assert.deepStrictEqual(
        [refused.status, refused.body.error.code, refused.body.error.param],
        [400, "contact_opted_out", "recipient.id"]
      )
      yield* post("opt-in", { phone: "+5511987654321" })
      assert.strictEqual((yield* send).status, 202)
    })
  )

  it.effect("concurrent choices of one customer make one contact, and each call gets its id", () =>
    Effect.gen(function* () {
      const { list, post, sandbox } = yield* stage("atonce")
      const sql = yield* SqlClient.SqlClient
      const calls = Array.from({ length: 12 }, (_, n) => post(n % 2 === 0 ? "opt-in" : "opt-out", rowsOf(1)[0]))
      const answers = yield* Effect.forEach(calls, (call) => call, { concurrency: "unbounded" })
      const [only, ...others] = yield* list()
      assert.deepStrictEqual(others, [])
      for (const { body, status } of answers) {
        assert.deepStrictEqual([status, body.id], [200, only.id])
      }
      const [last] = yield* sql<{ readonly type: string; readonly events: number }>`select
          (array_agg(type order by id desc))[1] as type, count(*)::int4 as events from consent_events
        where environment_id = ${sandbox.id}`
      assert.strictEqual(last?.type, only.opt_in_status)
      assert.isAtLeast(last?.events ?? 0, 2)
    })
  )
})
