import { type ChatAnswer, type ChatSend, type ChatSender, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { scenarios } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import type { Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { connectionOf, notSent } from "../support/Chat.ts"
import { seedSender } from "../support/Numbers.ts"
import { fence, OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, announced, hear, stored } from "./Sending.ts"
import { prepare, welcome } from "./Templates.ts"

const hour = 60 * 60 * 1000

/** A provider that gives each test's answers, and records the table's state at each call. */
const answers: Array<ChatAnswer> = []
const seen: Array<{ readonly send: ChatSend; readonly status: string | undefined }> = []

/** The senders whose connection was looked up. */
const asked: Array<string> = []

const connected = Layer.effect(
  ConnectedChat,
  Effect.map(
    SqlClient.SqlClient,
    (sql) => (sender: ChatSender) =>
      Effect.as(
        Effect.sync(() => asked.push(sender.business_id)),
        connectionOf((send) =>
          Effect.map(
            Effect.tap(
              Effect.orDie(sql<{ status: string }>`select status from messages where id = ${send.message_id}`),
              () => answering
            ),
            ([row]) => {
              seen.push({ send, status: row?.status })
              return answers.shift() ?? ({ _tag: "Unknown" } as const)
            }
          )
        )
      )
  )
)

const openSender = Effect.tap(seedSender("production"), (number) => hear(number))
/** The hook between a call and its answer. */
let answering: Effect.Effect<unknown> = Effect.void

const forget = Effect.sync(() => {
  answering = Effect.void
  answers.length = 0
  asked.length = 0
  seen.length = 0
})

it.layer(OwnerTest(Messages.room.owners.pipe(Layer.provide(connected))), { excludeTestServices: true })(
  "Sending through a provider",
  (it) => {
    it.effect("ends a template without name or language before any call M-DLV-05", () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const number = yield* openSender
        yield* prepare(number, "tier_1k")
        for (const template of [{ name: "welcome" }, { language: "pt_BR" }, {}, { name: "", language: "pt_BR" }]) {
          const content = JSON.stringify({ type: "template", template })
          // Stored like this from the first, because the owner may read before an update.
          yield* sql.unsafe(`create or replace function lose_template() returns trigger language plpgsql as
            $$ begin new.content := '${content}'; return new; end $$`)
          yield* sql`create or replace trigger lose_template before insert on messages
            for each row execute function lose_template()`.unprepared
          const { id } = yield* accept(number, welcome("5511912345678"))
          yield* sql`drop trigger lose_template on messages`.unprepared
          yield* turnBy(1000)
          const { error_code, provider_message_id, status } = yield* stored(id)
          assert.deepStrictEqual(
            [status, error_code, provider_message_id],
            ["failed", "invalid_template_payload", null]
          )
        }
        assert.lengthOf(seen, 0)
      })
    )

    it.effect("makes the reservation durable before the call, and the answer makes the message sent M-MSG-01", () =>
      Effect.gen(function* () {
        yield* forget
        const number = yield* openSender
        answers.push({ _tag: "Accepted", provider_message_id: "up-1", response: { ok: true } })
        const { id } = yield* accept(number)
        yield* turnBy(1000)
        assert.deepStrictEqual(
          seen.map((one) => [one.status, one.send.message_id, one.send.sender.phone, one.send.recipient]),
          [["sending", id, number.phone, "+5511912345678"]]
        )
        const row = yield* stored(id)
        assert.deepStrictEqual(
          [row.status, row.provider, row.provider_message_id, row.due_at],
          ["sent", "upstream", "up-1", null]
        )
        assert.deepStrictEqual(
          (yield* announced(id)).map((event) => event.type),
          ["message.sent"]
        )
      })
    )

    it.effect("writes an answer that comes after the shard was lost and regained M-DLV-23", () =>
      Effect.gen(function* () {
        yield* forget
        const number = yield* openSender
        answering = Effect.provide(fence(number.id), yield* Effect.context<Sharding.Sharding | SqlClient.SqlClient>())
        answers.push({ _tag: "Accepted", provider_message_id: "up-9", response: { ok: true } })
        const { id } = yield* accept(number)
        yield* turnBy(1000)
        assert.deepStrictEqual([(yield* stored(id)).status, (yield* stored(id)).provider_message_id], ["sent", "up-9"])
      })
    )

    it.effect("fails a definite refusal with its code and the numbers of the provider M-DLV-01 M-READ-27", () =>
      Effect.gen(function* () {
        yield* forget
        const number = yield* openSender
        const error = {
          provider: "upstream",
          code: 131026,
          subcode: null,
          title: "Undeliverable",
          message: null,
          http_status: 400
        }
        answers.push({ _tag: "Rejected", code: "upstream_recipient_undeliverable", error })
        answers.push({ _tag: "Rejected", code: "a code nobody knows", error: null })
        const first = yield* accept(number)
        // Of two concurrent calls either may be answered first.
        yield* turnBy(1000)
        const second = yield* accept(number)
        yield* turnBy(1000)
        const row = yield* stored(first.id)
        assert.deepStrictEqual(
          [row.status, row.error_code, JSON.parse(row.provider_error ?? "null")],
          ["failed", "upstream_recipient_undeliverable", error]
        )
        assert.strictEqual((yield* stored(second.id)).error_code, "upstream_rejected")
      })
    )

    it.effect("repeats an attempt that certainly was not sent M-DLV-22", () =>
      Effect.gen(function* () {
        yield* forget
        const number = yield* openSender
        answers.push(notSent, { _tag: "Accepted", provider_message_id: "up-2", response: {} })
        const { id } = yield* accept(number)
        yield* turnBy(500)
        assert.strictEqual((yield* stored(id)).status, "queued")
        yield* turnBy(2000)
        assert.strictEqual((yield* stored(id)).status, "sent")
        assert.strictEqual(seen.length, 2)
      })
    )

    it.effect("never repeats an ambiguous attempt, which fails a day later M-DLV-21 M-DLV-23", () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const number = yield* openSender
        answers.push({ _tag: "Unknown" })
        const { id } = yield* accept(number)
        yield* turnBy(1000)
        const waiting = yield* stored(id)
        assert.strictEqual(waiting.status, "sending")
        assert.isNotNull(waiting.delivery_unconfirmed_at)
        const at = waiting.due_at ?? 0
        assert.strictEqual(at - (waiting.delivery_unconfirmed_at ?? 0), 24 * hour)
        // The row is moved back by a day.
        yield* sql`update messages set due_at = due_at - interval '24 hours',
          delivery_unconfirmed_at = delivery_unconfirmed_at - interval '24 hours' where id = ${id}`
        yield* accept(number)
        yield* turnBy(1000)
        assert.deepStrictEqual(
          [(yield* stored(id)).status, (yield* stored(id)).error_code],
          ["failed", "provider_send_result_missing"]
        )
        assert.strictEqual(seen.filter((one) => one.send.message_id === id).length, 1)
        assert.deepStrictEqual(
          (yield* announced(id)).map((event) => event.type),
          ["message.failed"]
        )
      })
    )

    it.effect(
      "never calls a connected provider for a sandbox message of any scenario A-CONV-03 M-MSG-59 M-SBX-25",
      () =>
        Effect.gen(function* () {
          yield* forget
          const number = yield* Effect.tap(seedSender("sandbox"), (one) => hear(one))
          const sent = yield* Effect.forEach(scenarios, (scenario) => accept(number, { scenario }))
          yield* turnBy(20_000)
          for (const { id } of sent) assert.include(["read", "delivered", "sent", "failed"], (yield* stored(id)).status)
          assert.deepStrictEqual([asked, seen], [[], []])
          yield* accept(yield* openSender)
          yield* turnBy(5000)
          assert.deepStrictEqual([asked.length, seen.length], [1, 1])
        })
    )

    it.effect(
      "decides on a reservation of a crashed node after 60 seconds, and does not repeat it M-DLV-22 M-DLV-23",
      () =>
        Effect.gen(function* () {
          yield* forget
          const sql = yield* SqlClient.SqlClient
          const number = yield* openSender
          const now = yield* Clock.currentTimeMillis
          const at = new Date(now)
          yield* sql`insert into messages (environment_id, id, channel, direction, type, status, business_id, customer_id,
            customer_key, trace_id, sending_since, due_at, created_at, updated_at)
          values (${number.environment_id}, 'msg_lost', 'chatapp', 'outbound', 'text', 'sending', ${number.id}, '+1', '1',
            't', ${at}, ${new Date(now + 60_000)}, ${at}, ${at})`
          answers.push({ _tag: "Accepted", provider_message_id: "up-3", response: {} })
          yield* accept(number)
          yield* turnBy(59_000)
          assert.isNull((yield* stored("msg_lost")).delivery_unconfirmed_at)
          yield* turnBy(2000)
          assert.isNotNull((yield* stored("msg_lost")).delivery_unconfirmed_at)
          assert.strictEqual(seen.length, 1)
        })
    )
  }
)
