import { Commit } from "@carteiro/owners/Commit.ts"
import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { type ChatAnswer, type ChatSend, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { messageErasers } from "@carteiro/runtime/messages/erasure/MessageEraserRepo.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { PacingRepo } from "@carteiro/runtime/messages/pacing/PacingRepo.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { connectionOf, notSent } from "../support/Chat.ts"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Upstream.ts"
import { accept, announced, hear, stored } from "./Sending.ts"
import { coverNumber, prepare, welcome } from "./Templates.ts"

const day = 86_400_000

/** The provider's answers in order; a message without one is left without a result. */
const answers: Array<ChatAnswer> = []
const called: Array<string> = []
/** The hook after a pass has read due messages, and before it reserves any. */
let reading: Effect.Effect<unknown> = Effect.void
/** The hook between a call and its answer. */
let answering: (send: ChatSend) => Effect.Effect<unknown> = () => Effect.void

const connected = Layer.succeed(ConnectedChat, () =>
  Effect.as(
    Effect.suspend(() => reading),
    connectionOf((send) =>
      Effect.map(
        Effect.suspend(() => answering(send)),
        () => {
          called.push(send.message_id)
          return answers.shift() ?? ({ _tag: "Unknown" } as const)
        }
      )
    )
  )
)

const accepted = (provider_message_id: string): ChatAnswer => ({ _tag: "Accepted", provider_message_id, response: {} })

interface Status {
  readonly copy: string
  readonly status: "sent" | "delivered" | "read" | "failed"
}

let calls = 0

/** Stores a signed report as the receiver does; its owner handles it from `due` on. */
const report = Effect.fnUntraced(function* (
  number: TestNumber,
  message_id: string,
  statuses: ReadonlyArray<Status>,
  due?: number
) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = `vwh_${String(++calls).padStart(3, "0")}`
  const value = {
    statuses: statuses.map(({ copy, status }) => ({
      id: copy,
      status,
      timestamp: String(Math.floor(now / 1000)),
      biz_opaque_callback_data: message_id,
      ...(status === "failed" ? { errors: [{ code: 131026, title: "Undeliverable" }] } : {})
    }))
  }
  const body = Buffer.from(JSON.stringify(told(value, "messages", number.id)))
  yield* sql`insert into vendor_webhooks (id, vendor, body, received_at)
    values (${id}, 'upstream', ${body}, ${new Date(now)})`
  yield* sql`insert into vendor_webhook_work (owner_type, owner_id, webhook_id, reported_messages, due_at)
    values ('PhoneNumber', ${number.id}, ${id}, ${message_id}, ${new Date(due ?? now)})`
  return id
}, Effect.orDie)

/** Makes the owner handle every stored report now. */
const work = Effect.fnUntraced(function* (number: TestNumber) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update vendor_webhook_work set due_at = ${new Date(yield* Clock.currentTimeMillis)}
    where owner_id = ${number.id}`
  const owners = yield* Messages.PhoneNumberEntity.client
  owners.wake(number.id)
  yield* turnBy(1000)
}, Effect.orDie)

const eventsOf = (id: string) =>
  Effect.map(stored(id), ({ events }) =>
    (JSON.parse(events ?? "[]") as ReadonlyArray<MessageEventItem>).map(({ details, type }) =>
      details?.applied === false ? `${type.slice("message.".length)} late` : type.slice("message.".length)
    )
  )

const sender = Effect.gen(function* () {
  answers.length = 0
  called.length = 0
  reading = Effect.void
  answering = () => Effect.void
  const sql = yield* SqlClient.SqlClient
  const number = yield* seedSender("production")
  yield* sql`update phone_numbers set upstream_phone_number_id = id where id = ${number.id}`
  yield* hear(number)
  return number
})

const owners = Layer.merge(
  messagesRoom.owners.pipe(Layer.provide([connected, Layer.succeed(UpstreamNotices, readWebhook)])),
  PacingRepo.layer
)

it.layer(OwnerTest(owners), { excludeTestServices: true })(
  "A message that was sent although its attempt was refused",
  (it) => {
    it.effect("applies the report that comes while it is queued again, and is not sent again M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(100)
        assert.strictEqual((yield* stored(id)).status, "queued")
        yield* report(number, id, [
          { copy: "up-a", status: "sent" },
          { copy: "up-a", status: "delivered" }
        ])
        yield* work(number)
        const row = yield* stored(id)
        assert.deepStrictEqual([row.status, row.provider_message_id, row.due_at], ["delivered", "up-a", null])
        yield* turnBy(120_000)
        assert.deepStrictEqual(called, [id])
        assert.deepStrictEqual(
          (yield* announced(id)).map(({ type }) => type),
          ["message.sent", "message.delivered"]
        )
      })
    )

    it.effect('fails for good when the report says so, and is not sent again gaps-2 B "Message state machine"', () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(100)
        yield* report(number, id, [{ copy: "up-a", status: "failed" }])
        yield* work(number)
        yield* turnBy(120_000)
        const row = yield* stored(id)
        assert.deepStrictEqual([row.status, row.error_code], ["failed", "upstream_recipient_undeliverable"])
        yield* report(number, id, [{ copy: "up-a", status: "delivered" }])
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "failed")
        assert.strictEqual((yield* eventsOf(id)).at(-1), "delivered late")
        assert.deepStrictEqual(called, [id])
      })
    )

    it.effect("is not sent while a stored report of it waits, and reports of others do not delay it M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent)
        const first = yield* accept(number)
        yield* turnBy(100)
        answers.push(notSent, accepted("up-second"))
        const second = yield* accept(number)
        yield* turnBy(100)
        const later = (yield* Clock.currentTimeMillis) + day
        yield* report(number, first.id, [{ copy: "up-first", status: "sent" }], later)
        yield* turnBy(10_000)
        assert.deepStrictEqual(called, [first.id, second.id, second.id])
        assert.strictEqual((yield* stored(first.id)).status, "queued")
        yield* work(number)
        assert.deepStrictEqual([(yield* stored(first.id)).status, (yield* stored(second.id)).status], ["sent", "sent"])
      })
    )

    it.effect("is not reserved when its report was stored after the read of the pass M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(100)
        const context = yield* Effect.context<SqlClient.SqlClient>()
        const later = (yield* Clock.currentTimeMillis) + day
        reading = Effect.suspend(() => {
          reading = Effect.void
          return Effect.provide(report(number, id, [{ copy: "up-a", status: "read" }], later), context)
        })
        yield* turnBy(10_000)
        assert.deepStrictEqual(called, [id])
        assert.strictEqual((yield* stored(id)).status, "queued")
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "read")
      })
    )

    it.effect("keeps the state of the report when the refusal is answered after it M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const context = yield* Effect.context<SqlClient.SqlClient>()
        answering = ({ message_id }) =>
          Effect.provide(report(number, message_id, [{ copy: "up-a", status: "sent" }]), context)
        const { id } = yield* accept(number)
        yield* turnBy(120_000)
        assert.deepStrictEqual([(yield* stored(id)).status, called.length], ["sent", 1])
      })
    )

    it.effect("does not end as failed while a stored report of it waits M-DLV-21 M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        const { id } = yield* accept(number)
        yield* turnBy(1000)
        assert.isNotNull((yield* stored(id)).delivery_unconfirmed_at)
        yield* report(number, id, [{ copy: "up-a", status: "delivered" }], (yield* Clock.currentTimeMillis) + day)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update messages set due_at = due_at - interval '24 hours',
        delivery_unconfirmed_at = delivery_unconfirmed_at - interval '24 hours' where id = ${id}`
        const owners = yield* Messages.PhoneNumberEntity.client
        owners.wake(number.id)
        yield* turnBy(5000)
        assert.strictEqual((yield* stored(id)).status, "sending")
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "delivered")
      })
    )

    it.effect("cannot be cancelled while a stored report of it waits", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(100)
        yield* report(number, id, [{ copy: "up-a", status: "sent" }])
        const client = yield* Messages.PhoneNumberEntity.client
        const item = { id, environment_id: number.environment_id, environment: number.kind, claim: undefined }
        assert.strictEqual((yield* Effect.flip(client.Cancel(number.id, item)))._tag, "message_not_cancellable")
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "sent")
      })
    )

    it.effect('is not cancelled by an erasure while a stored report of it waits gaps-2 I "Erasure"', () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, notSent)
        const { id } = yield* accept(number)
        const { id: never } = yield* accept(number)
        yield* turnBy(100)
        yield* report(number, id, [{ copy: "up-a", status: "sent" }], Number.MAX_SAFE_INTEGER / 4096)
        const sql = yield* SqlClient.SqlClient
        const { write } = yield* Commit
        const [row] = yield* sql<{ readonly key: string }>`select customer_key as key from messages where id = ${id}`
        const erased = {
          environment_id: number.environment_id,
          id: "con_1",
          subject: { type: "phone_e164", key: row?.key ?? "" },
          hashes: ["hash"] as const,
          erased_at: yield* Clock.currentTimeMillis
        }
        for (const { clear, rows } of yield* messageErasers) {
          yield* write((yield* rows?.(erased) ?? Effect.succeed([])).slice())
          yield* clear?.(erased) ?? Effect.void
        }
        const shown = Effect.map(Effect.all([stored(id), stored(never)]), (rows) => rows.map(({ status }) => status))
        assert.deepStrictEqual(yield* shown, ["queued", "cancelled"])
        assert.deepStrictEqual(yield* sql`select 1 from messages where id = ${id} and content is not null`, [])
        yield* work(number)
        assert.deepStrictEqual(yield* shown, ["sent", "cancelled"])
        assert.strictEqual(called.length, 2)
      })
    )

    it.effect("stores reports of its other copies, and none of them fails it M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(5000)
        const row = yield* stored(id)
        assert.deepStrictEqual([row.status, row.provider_message_id, called.length], ["sent", "up-b", 2])
        yield* report(number, id, [
          { copy: "up-a", status: "failed" },
          { copy: "up-a", status: "failed" },
          { copy: "up-b", status: "delivered" },
          { copy: "up-a", status: "read" },
          { copy: "up-a", status: "delivered" }
        ])
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "read")
        assert.deepStrictEqual(yield* eventsOf(id), [
          "queued",
          "sending",
          "queued",
          "sending",
          "sent",
          "delivered",
          "read",
          "failed late"
        ])
        assert.deepStrictEqual(
          (yield* announced(id)).map(({ type }) => type),
          ["message.sent", "message.delivered", "message.read"]
        )
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select 1 from vendor_webhook_work where owner_id = ${number.id}`, [])
      })
    )

    for (const [order, statuses] of [
      ["after its failure", ["a failed", "b sent"]],
      ["before its failure", ["b sent", "a failed"]],
      ["after that copy was sent and failed", ["a sent", "a failed", "b sent"]]
    ] as const) {
      it.effect(`is sent when the report of another copy comes ${order} in one pass M-MSG-14`, () =>
        Effect.gen(function* () {
          const number = yield* sender
          answers.push(notSent)
          const { id } = yield* accept(number)
          yield* turnBy(100)
          for (const one of statuses) {
            const [copy, status] = one.split(" ") as [string, Status["status"]]
            yield* report(number, id, [{ copy: `up-${copy}`, status }], Number.MAX_SAFE_INTEGER / 4096)
          }
          yield* work(number)
          const { provider_message_id, status } = yield* stored(id)
          assert.deepStrictEqual([status, provider_message_id], ["sent", "up-b"])
        })
      )
    }

    it.effect("fails with its own copy although the failure of another copy is recorded M-MSG-14", () =>
      Effect.gen(function* () {
        const number = yield* sender
        answers.push(notSent, accepted("up-b"))
        const { id } = yield* accept(number)
        yield* turnBy(5000)
        yield* report(number, id, [{ copy: "up-a", status: "failed" }])
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "sent")
        yield* report(number, id, [
          { copy: "up-b", status: "failed" },
          { copy: "up-b", status: "failed" }
        ])
        yield* work(number)
        assert.strictEqual((yield* stored(id)).status, "failed")
        assert.deepStrictEqual((yield* eventsOf(id)).slice(-2), ["failed late", "failed"])
      })
    )

    it.effect('counts against the allowance again gaps-2 D "Which sends use a slot"', () =>
      Effect.gen(function* () {
        const number = yield* sender
        yield* prepare(number, "tier_50")
        yield* coverNumber(number)
        answers.push(notSent)
        const { id } = yield* accept(number, welcome("5511900000001"))
        yield* turnBy(100)
        const pacing = yield* PacingRepo
        const used = Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(pacing.countRecipients(number.environment_id, [number.id], now), (counted) =>
            counted.get(number.id)
          )
        )
        assert.strictEqual(yield* used, 0)
        yield* report(number, id, [{ copy: "up-a", status: "sent" }])
        yield* work(number)
        assert.strictEqual(yield* used, 1)
      })
    )
  }
)
