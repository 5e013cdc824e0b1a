import * as Billing from "@carteiro/runtime/billing/room.ts"
import * as Media from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/room.ts"
import * as Sandbox from "@carteiro/runtime/sandbox/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedProject } from "../support/Tenants.ts"
import { testBlobs } from "../support/TestBlobs.ts"

let stages = 0

/** A sandbox project with one number; `send` and `hear` return ids. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `lists${++stages}`)
  const number = yield* seedNumber(project.sandbox)
  const { key } = project.sandbox
  const id = (answer: Effect.Effect<{ readonly status: number; readonly body: { readonly id: string } }>) =>
    Effect.map(answer, ({ body, status }) => {
      assert.strictEqual(status, 202)
      return body.id
    })
  const hear = (from = "+5511912345678") =>
    id(api.post("/v1/sandbox/inbound-messages", { channel: "chatapp", from, to: number.id, type: "unknown" }, { key }))
  const send = (to = "+5511912345678") =>
    id(
      api.post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: to },
          message: { type: "text", text: { body: "Olá" } }
        },
        { key }
      )
    )
  const list = (query = "") => api.get(`/v1/messages${query}`, { key })
  const idsOf = (query = "") =>
    Effect.map(list(query), ({ body }) => body.data.map((message: { id: string }) => message.id) as Array<string>)
  return { api, number, hear, send, list, idsOf }
})

/** Stores that many copies of a message, newer than all others. */
const clones = Effect.fnUntraced(function* (id: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into messages select c.* from messages m cross join generate_series(1, ${count}::int4) n
    cross join lateral jsonb_populate_record(m, jsonb_build_object(
      'id', 'msg_7' || lpad(n::text, 25, '0'), 'provider_message_id', null, 'due_at', null)) c
    where m.id = ${id}`.pipe(Effect.orDie)
})

const rooms = served(Billing.room, Templates.room, Media.room, Messages.room, PhoneNumbers.room, Sandbox.room)

it.layer(ApiTest(rooms.pipe(Layer.provide(testBlobs)), Messages.room.owners), {
  excludeTestServices: true
})("GET /v1/messages", (it) => {
  it.effect("lists newest first, by id at equal instants, 20 per page by default M-READ-02..04 M-LIM-06", () =>
    Effect.gen(function* () {
      const { hear, idsOf, list, send } = yield* stage
      const made = [yield* hear()]
      for (let index = 0; index < 24; index++) {
        made.push(yield* send())
        if (index % 5 === 0) yield* turnBy(1)
      }
      const newest = made.toSorted().toReversed()
      assert.deepStrictEqual(yield* idsOf(), newest.slice(0, 20))
      assert.deepStrictEqual(yield* idsOf("?limit=3"), newest.slice(0, 3))
      const whole = yield* list("?limit=100")
      assert.deepStrictEqual(
        [whole.body.object, whole.body.has_more, whole.body.next_cursor, whole.body.data.length],
        ["list", false, null, 25]
      )
      for (const limit of ["0", "101", "x"]) {
        const { body, status } = yield* list(`?limit=${limit}`)
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_messages_query", "limit"])
      }
    })
  )

  it.effect("reads 5,000 messages per page for a rare filter and continues by the cursor A-CONV-13 M-READ-02", () =>
    Effect.gen(function* () {
      const { hear, list, number, send } = yield* stage
      const heard = yield* hear()
      yield* clones(yield* send(), 12_000)
      const sql = yield* SqlClient.SqlClient
      const [newest] = yield* sql<{ readonly id: string }>`update messages set type = 'unknown' where id =
        (select max(id) from messages where environment_id = ${number.environment_id}) returning id`.pipe(Effect.orDie)
      const pages: Array<ReadonlyArray<string>> = []
      let query = "?type=unknown&limit=5"
      for (;;) {
        const { body } = yield* list(query)
        assert.strictEqual(body.has_more, body.next_cursor !== null)
        pages.push(body.data.map(({ id }: { readonly id: string }) => id))
        if (!body.has_more) break
        query = `?type=unknown&limit=5&starting_after=${body.next_cursor}`
      }
      assert.deepStrictEqual(pages, [[newest?.id ?? ""], [], [heard]])
      const whole = yield* list("?type=unknown&limit=5&include=payload")
      assert.deepStrictEqual([whole.body.data.length, whole.body.has_more], [1, true])
    })
  )

  it.effect("pages without loss or repetition while messages arrive M-READ-09", () =>
    Effect.gen(function* () {
      const { hear, list, send } = yield* stage
      const before = [yield* hear()]
      for (let index = 0; index < 11; index++) before.push(yield* send())
      yield* turnBy(1)
      const seen: Array<string> = []
      let query = "?limit=5"
      while (true) {
        const arriving = yield* Effect.forkChild(Effect.all([send(), send()], { concurrency: 2 }))
        const { body } = yield* list(query)
        yield* Fiber.join(arriving)
        seen.push(...body.data.map((message: { id: string }) => message.id))
        if (!body.has_more) break
        query = `?limit=5&starting_after=${body.next_cursor}`
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.deepStrictEqual(
        seen.filter((id) => before.includes(id)),
        before.toSorted().toReversed()
      )
    })
  )

  it.effect("refuses a cursor of another list M-READ-10", () =>
    Effect.gen(function* () {
      const { api, hear, list } = yield* stage
      yield* hear()
      yield* hear()
      const { body } = yield* list("?limit=1")
      for (const answer of [
        yield* list("?starting_after=nonsense"),
        yield* api.get(`/v1/messages?starting_after=${body.next_cursor}`, { key: api.other.sandbox.key })
      ]) {
        assert.deepStrictEqual(
          [answer.status, answer.body.error.code, answer.body.error.param],
          [400, "invalid_cursor", "starting_after"]
        )
      }
    })
  )

  it.effect("created_after is exclusive, needs a zone and concerns creation only M-READ-05..07 M-ERR-04", () =>
    Effect.gen(function* () {
      const { hear, idsOf, list, send } = yield* stage
      yield* hear()
      yield* turnBy(1000)
      const first = yield* send()
      const at = (yield* list("?limit=1")).body.data[0].created_at as string
      yield* turnBy(1)
      const second = yield* send()
      yield* turnBy(10_000)
      const ask = (name: string, value: string) => idsOf(`?${name}=${encodeURIComponent(value)}`)
      assert.deepStrictEqual(yield* ask("created_after", at), [second])
      assert.deepStrictEqual(yield* ask("created_after", at.replace("Z", "-00:00")), [second])
      assert.notInclude(yield* ask("created_before", at), first)
      for (const value of ["2026-01-01T00:00:00", "yesterday", ""]) {
        const { body, status } = yield* list(`?created_after=${encodeURIComponent(value)}`)
        assert.deepStrictEqual(
          [status, body.error.code, body.error.param],
          [400, "invalid_messages_query", "created_after"]
        )
      }
    })
  )

  it.effect("filters by every documented filter M-READ-02 M-READ-14", () =>
    Effect.gen(function* () {
      const { hear, idsOf, list, number, send } = yield* stage
      const inbound = yield* hear()
      const other = yield* hear("+5521998765432")
      const outbound = yield* send()
      yield* turnBy(10_000)
      const queued = yield* send("+5521998765432")
      const expectations: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["channel=chatapp", [inbound, other, outbound, queued]],
        ["channel=socialapp", []],
        ["direction=inbound", [inbound, other]],
        ["direction=outbound", [outbound, queued]],
        ["status=queued", [queued]],
        ["status=read", [outbound]],
        ["status=received", [inbound, other]],
        ["type=text", [outbound, queued]],
        ["type=unknown", [inbound, other]],
        [`sender_id=${number.id}`, [outbound, queued]],
        ["sender_id=%2B5521998765432", [other]],
        ["recipient=5511912345678", [outbound]],
        ["recipient=%2B55%2021%2099876-5432", [queued]],
        // One customer, spelled without the ninth digit.
        ["recipient=551112345678", []],
        ["recipient=552198765432", [queued]],
        ["batch_id=bat_none", []],
        ["template_name=welcome", []],
        ["direction=outbound&status=read", [outbound]]
      ]
      for (const [query, ids] of expectations) assert.sameMembers(yield* idsOf(`?${query}`), [...ids], query)
      for (const [query, param] of [
        ["status=lost", "status"],
        ["recipient=me", "recipient"],
        ["include=everything", "include"],
        ["colour=red", "colour"]
      ]) {
        const { body, status } = yield* list(`?${query}`)
        assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_messages_query", param])
      }
    })
  )

  it.effect("adds context and payload only on request M-READ-08 M-READ-20", () =>
    Effect.gen(function* () {
      const { hear, list } = yield* stage
      yield* hear()
      const plain = (yield* list()).body.data[0]
      assert.notProperty(plain, "payload")
      assert.notProperty(plain, "context")
      const whole = (yield* list("?include=payload")).body.data[0]
      assert.strictEqual(whole.payload.type, "location")
      assert.isNull(whole.context)
    })
  )
})
