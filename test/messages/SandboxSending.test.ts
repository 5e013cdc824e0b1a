import type { DuePage } from "@carteiro/owners/DueWork.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { messageEvents } from "@carteiro/schema/messages/MessageEvents.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { seedSender } from "../support/Numbers.ts"
import { fence, OwnerTest, quiesce, turnBy } from "../support/OwnerTest.ts"
import { accept, announced, hear, steps, stored } from "./Sending.ts"

const openSender = Effect.tap(seedSender(), (number) => hear(number))

it.layer(OwnerTest(Messages.room.owners), { excludeTestServices: true })("Sandbox sending", (it) => {
  it.effect("answers queued at once and goes sent, delivered, read at 1, 3 and 6 units M-MSG-01 M-SBX-25", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const at = yield* Clock.currentTimeMillis
      const { id, status } = yield* accept(number)
      assert.strictEqual(status, "queued")
      const seen: Array<string> = []
      for (const wait of [499, 1, 999, 1, 1499, 1]) {
        yield* turnBy(wait)
        seen.push((yield* stored(id)).status)
      }
      assert.deepStrictEqual(seen, ["queued", "sent", "sent", "delivered", "delivered", "read"])
      assert.deepStrictEqual(yield* steps(id, at), [
        "queued@0",
        "sending@500",
        "sent@500",
        "delivered@1500",
        "read@3000"
      ])
      const row = yield* stored(id)
      assert.deepStrictEqual([row.provider, row.provider_message_id, row.due_at], ["sandbox", `sb_${id}`, null])
    })
  )

  it.effect("raises each event once, in the commit of its status M-MSG-14 M-EVT-01 M-EVT-03 M-EVT-13 U-STA-02", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const at = yield* Clock.currentTimeMillis
      const after: Readonly<Record<string, number>> = { sent: 500, delivered: 1500, read: 3000 }
      const { id } = yield* accept(number, { metadata: jsonText({ order: 7 }) })
      yield* turnBy(10_000)
      const events = yield* announced(id)
      assert.deepStrictEqual(
        events.map((event) => event.type),
        ["message.sent", "message.delivered", "message.read"]
      )
      for (const { type, data } of events) {
        const status = type.slice("message.".length)
        assert.deepStrictEqual(data, {
          message_id: id,
          status,
          provider_message_id: `sb_${id}`,
          metadata: { order: 7 },
          to: "+5511912345678",
          from: number.phone,
          sender: { profile_name: null },
          occurred_at: formatTimestamp(at + (after[status] ?? 0)),
          ...(status !== "read" && {
            pricing: { billable: false, category: "service", type: "free_customer_service", model: "PMP" }
          })
        })
        assert.isTrue(Schema.is(messageEvents[type as keyof typeof messageEvents].data)(data))
      }
    })
  )

  for (const [scenario, course] of [
    ["delivered_only", ["queued@0", "sending@500", "sent@500", "delivered@1500"]],
    ["sent_only", ["queued@0", "sending@500", "sent@500"]],
    ["delivery_failure", ["queued@0", "sending@500", "failed@500"]],
    ["recipient_opted_out", ["queued@0", "sending@500", "failed@500"]],
    [
      "messaging_limit_pacing",
      ["queued@0", "released@10000", "sending@10500", "sent@10500", "delivered@11500", "read@13000"]
    ]
  ] as const) {
    it.effect(`follows the steps of scenario ${scenario} M-SBX-23 M-SBX-24`, () =>
      Effect.gen(function* () {
        const number = yield* openSender
        const at = yield* Clock.currentTimeMillis
        const { id } = yield* accept(number, { scenario })
        assert.strictEqual(
          (yield* stored(id)).status_reason,
          scenario === "messaging_limit_pacing" ? "messaging_limit_pacing" : null
        )
        yield* turnBy(20_000)
        assert.deepStrictEqual(yield* steps(id, at), [...course])
        const row = yield* stored(id)
        assert.isNull(row.due_at)
        assert.isNull(row.status_reason)
        if (row.status !== "failed") return
        assert.deepStrictEqual([row.error_code, row.provider_error], [`sandbox_${scenario}`, null])
        const [failed] = yield* announced(id)
        assert.strictEqual(failed?.type, "message.failed")
        assert.strictEqual(failed?.data.error_code, `sandbox_${scenario}`)
      })
    )
  }

  it.effect("raises no event for a held message and sends it later by itself M-MSG-07 M-MSG-08 M-EVT-12", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const { id } = yield* accept(number, { scenario: "messaging_limit_pacing" })
      yield* turnBy(9_999)
      assert.deepStrictEqual(yield* announced(id), [])
      assert.strictEqual((yield* stored(id)).status, "queued")
      yield* turnBy(5_000)
      assert.strictEqual((yield* stored(id)).status, "read")
    })
  )

  it.effect("makes two messages of two sends M-MSG-08", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const [a, b] = [yield* accept(number), yield* accept(number)]
      assert.notStrictEqual(a.id, b.id)
    })
  )

  it.effect("keeps messages above the rate of the number queued and sends them at that rate", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      yield* Effect.forEach(Array.from({ length: 40 }), () => accept(number), { concurrency: "unbounded" })
      const queued = Effect.map(
        sql<{ count: number }>`select count(*)::int4 as count from messages
          where business_id = ${number.id} and status = 'queued'`,
        (rows) => rows[0]?.count
      )
      yield* turnBy(500)
      assert.strictEqual(yield* queued, 30)
      yield* turnBy(1000)
      assert.strictEqual(yield* queued, 20)
      yield* turnBy(10_000)
      assert.strictEqual(yield* queued, 0)
    })
  )

  it.effect("shows the sweeper numbers with due work, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [quiet, queued, stepping] = [yield* openSender, yield* openSender, yield* openSender]
      const at = yield* Clock.currentTimeMillis
      const insert = (number: typeof quiet, id: string, status: string, due: number) =>
        sql`insert into messages (environment_id, id, channel, direction, type, status, business_id, customer_id,
            customer_key, trace_id, due_at, created_at, updated_at)
          values (${number.environment_id}, ${id}, 'chatapp', 'outbound', 'text', ${status}, ${number.id}, '+1', '1', 't',
            ${new Date(at + due)}, ${new Date(at)}, ${new Date(at)})`
      yield* insert(queued, "msg_1", "queued", 0)
      yield* insert(queued, "msg_2", "queued", 0)
      yield* insert(stepping, "msg_3", "sent", 0)
      yield* insert(quiet, "msg_4", "queued", 1)
      const { due } = yield* Messages.room.due[0]
      assert.sameMembers([...(yield* due(at, "", 10)).ids], [queued.id, stepping.id])
      const found: Array<string> = []
      for (let after: string | undefined = ""; after !== undefined; ) {
        const page: DuePage = yield* due(at, after, 1)
        found.push(...page.ids)
        after = page.next
      }
      assert.sameMembers(found, [queued.id, stepping.id])
      yield* quiesce
    })
  )

  it.effect("finishes a message whose owner lost its memory", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const messages = yield* Effect.forEach(Array.from({ length: 5 }), () => accept(number))
      yield* turnBy(600)
      yield* fence(number.id)
      yield* turnBy(20_000)
      for (const { id } of messages) {
        assert.strictEqual((yield* stored(id)).status, "read")
        assert.strictEqual((yield* announced(id)).length, 3)
      }
    })
  )
})

it.layer(OwnerTest(Messages.room.owners.pipe(Layer.provide(Messages.room.settings({ sandboxStatusDelayMs: 0 })))), {
  excludeTestServices: true
})("Sandbox sending without delay", (it) => {
  it.effect("runs everything at once and still in order, also by the ids of events M-SBX-25 M-EVT-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      const messages = yield* Effect.forEach(Array.from({ length: 5 }), () => accept(number), {
        concurrency: "unbounded"
      })
      yield* turnBy(1)
      for (const { id } of messages) {
        const row = yield* stored(id)
        const types = (JSON.parse(row.events ?? "[]") as ReadonlyArray<{ type: string }>).map(({ type }) => type)
        assert.deepStrictEqual(
          [row.status, types],
          ["read", ["message.queued", "message.sending", "message.sent", "message.delivered", "message.read"]]
        )
        const events = yield* sql<{ type: string }>`select type from outbox_events where source_id = ${id} order by id`
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["message.sent", "message.delivered", "message.read"]
        )
      }
    })
  )

  it.effect("holds a held message for its ten seconds", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const { id } = yield* accept(number, { scenario: "messaging_limit_pacing" })
      yield* turnBy(9_999)
      assert.strictEqual((yield* stored(id)).status, "queued")
      yield* turnBy(2)
      assert.strictEqual((yield* stored(id)).status, "read")
    })
  )
})
