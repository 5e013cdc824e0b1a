import { PhoneNumberEntity } from "@carteiro/runtime/messages/Messages.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, announced, customer, hear, sendOf, steps, stored } from "./Sending.ts"

const day = 24 * 60 * 60 * 1000
const openSender = Effect.tap(seedSender(), (number) => hear(number))

it.layer(OwnerTest(messagesRoom.owners), { excludeTestServices: true })("The owner of a number", (it) => {
  it.effect("keeps a window open for 24 hours to the millisecond M-WIN-01", () =>
    Effect.gen(function* () {
      const number = yield* seedSender()
      const now = yield* Clock.currentTimeMillis
      yield* hear(number, { created_at: now - day + 1000 })
      yield* turnBy(999)
      yield* accept(number, { scenario: "sent_only" })
      yield* turnBy(1)
      assert.strictEqual((yield* Effect.flip(accept(number)))._tag, "service_window_required")
      yield* hear(number)
      yield* accept(number)
    })
  )

  it.effect("keeps a window for one customer, channel and number M-WIN-01", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const sibling = { ...(yield* seedSender()), environment_id: number.environment_id }
      for (const refused of [
        accept(number, { customer_key: "5511911111111" }),
        accept(number, { channel: "socialapp" }),
        accept(sibling)
      ]) {
        const { _tag } = yield* Effect.flip(refused)
        assert.include(["service_window_required", "phone_number_not_found"], _tag)
      }
      yield* accept(number, { channel: "chatapp_channel", customer_key: "a channel" })
    })
  )

  it.effect("accepts a burst of ten seconds of its rate, then states the exact wait M-ERR-06", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      yield* Effect.forEach(Array.from({ length: 100 }), () => accept(number), { concurrency: "unbounded" })
      const refusal = yield* Effect.flip(accept(number))
      assert.deepStrictEqual([refusal._tag, refusal.retry_after_ms], ["rate_limited", 100])
      yield* turnBy(99)
      assert.strictEqual((yield* Effect.flip(accept(number))).retry_after_ms, 1)
      yield* turnBy(1)
      yield* accept(number)
      yield* turnBy(60_000)
    })
  )

  it.effect(
    "takes no second token for sends that are decided again because the row of the number changed M-ERR-06",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* openSender
        yield* accept(number)
        yield* sql`update phone_numbers set status = status where id = ${number.id}`
        yield* Effect.forEach(Array.from({ length: 99 }), () => accept(number), { concurrency: "unbounded" })
        assert.strictEqual((yield* Effect.flip(accept(number)))._tag, "rate_limited")
      })
  )

  it.effect("takes no token for an unknown sender, and one for a closed window", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const foreign = { ...number, environment_id: "env_other" }
      yield* Effect.forEach(Array.from({ length: 120 }), () => Effect.flip(accept(foreign)))
      yield* Effect.forEach(Array.from({ length: 100 }), () =>
        Effect.flip(accept(number, { customer_key: "5511911111111" }))
      )
      assert.strictEqual((yield* Effect.flip(accept(number)))._tag, "rate_limited")
    })
  )

  it.effect("handles a repeated call once: one row, an equal text, no second token M-MSG-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      const owner = yield* PhoneNumberEntity.client
      const item = yield* sendOf(number)
      const first = yield* owner.Accept(number.id, item)
      yield* turnBy(5000)
      const again = yield* Effect.forEach(Array.from({ length: 150 }), () => owner.Accept(number.id, item))
      for (const text of again) assert.strictEqual(text, first)
      assert.strictEqual((yield* sql`select 1 from messages where id = ${item.id}`).length, 1)
      assert.strictEqual((yield* stored(item.id)).status, "read")
    })
  )

  it.effect("captures and announces a repeated inbound message once M-EVT-04", () =>
    Effect.gen(function* () {
      const number = yield* seedSender()
      const { id } = yield* hear(number)
      yield* hear(number, { id })
      yield* turnBy(1000)
      yield* hear(number, { id })
      assert.strictEqual((yield* announced(id)).length, 1)
    })
  )

  it.effect("counts every message and key once in any mix of repeated and competing calls", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* PhoneNumberEntity.client
      const now = yield* Clock.currentTimeMillis
      const calls = fc.array(fc.record({ message: fc.nat(4), key: fc.option(fc.nat(2), { nil: undefined }) }), {
        minLength: 1,
        maxLength: 12
      })
      for (const [run, drawn] of fc.sample(calls, { numRuns: 25, seed: 7 }).entries()) {
        const number = yield* openSender
        const items = yield* Effect.forEach([0, 1, 2, 3, 4], () => sendOf(number))
        // A message is sent under one key at most; several messages may compete for a key.
        const keyOf = new Map(drawn.map(({ key, message }) => [message, key]))
        const claim = (key: number) =>
          makeClaim({
            environment_id: number.environment_id,
            key_hash: `key-${run}-${key}`,
            fingerprint: "f",
            expires_at: now + 100 * day
          })
        const answers = yield* Effect.forEach(
          drawn,
          ({ message }) => {
            const key = keyOf.get(message)
            const item = { ...items[message], claim: key === undefined ? undefined : claim(key) }
            return Effect.exit(owner.Accept(number.id, item as never))
          },
          { concurrency: "unbounded" }
        )
        const rows = yield* sql<{ id: string }>`select id from messages
          where business_id = ${number.id} and direction = 'outbound'`
        const ids = new Set(rows.map((row) => row.id))
        assert.strictEqual(ids.size, rows.length)
        const winners = new Map<number, Set<number>>()
        drawn.forEach(({ message }, index) => {
          const exit = answers[index]
          const key = keyOf.get(message)
          if (exit !== undefined && Exit.isSuccess(exit)) {
            assert.strictEqual(JSON.parse(exit.value).id, items[message]?.id)
            assert.isTrue(ids.has(items[message]?.id ?? ""))
            if (key !== undefined) winners.set(key, (winners.get(key) ?? new Set()).add(message))
          } else assert.isDefined(key)
        })
        const records = yield* sql`select 1 from idempotency_records where environment_id = ${number.environment_id}`
        assert.strictEqual(records.length, winners.size)
        for (const messages of winners.values()) assert.strictEqual(messages.size, 1)
        const unkeyed = new Set(
          drawn.map(({ message }) => message).filter((message) => keyOf.get(message) === undefined)
        )
        assert.strictEqual(rows.length, unkeyed.size + winners.size)
      }
    })
  )

  it.effect("repeats the checks at a message's turn M-DLV-01 M-DLV-03 M-DLV-04", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const failing = Effect.fnUntraced(function* (between: (id: string) => Effect.Effect<unknown, unknown>) {
        const number = yield* openSender
        const { id } = yield* accept(number, { scenario: "messaging_limit_pacing" })
        yield* Effect.orDie(between(number.id))
        yield* turnBy(20_000)
        const row = yield* stored(id)
        const [failed, ...more] = yield* announced(id)
        assert.deepStrictEqual([row.status, failed?.type, more], ["failed", "message.failed", []])
        assert.strictEqual(failed?.data.error_code, row.error_code)
        return row.error_code
      })
      assert.strictEqual(
        yield* failing((id) => sql`update phone_numbers set status = 'disconnected' where id = ${id}`),
        "sender_phone_number_unavailable"
      )
      assert.strictEqual(
        yield* failing((id) => sql`update phone_numbers set suspended_at = created_at where id = ${id}`),
        "phone_service_suspended"
      )
      assert.strictEqual(
        yield* failing(
          (id) => sql`update contacts set opt_in_status = 'opted_out' where environment_id =
            (select environment_id from phone_numbers where id = ${id})`
        ),
        "contact_opted_out"
      )
      assert.strictEqual(
        yield* failing((id) => sql`delete from service_windows where business_id = ${id}`),
        "service_window_required"
      )
    })
  )

  it.effect("accepts sends while the number is not active; they then fail M-DLV-03", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      yield* sql`update phone_numbers set status = 'provisioning' where id = ${number.id}`
      const at = yield* Clock.currentTimeMillis
      const { id } = yield* accept(number)
      yield* turnBy(1000)
      assert.deepStrictEqual(yield* steps(id, at), ["queued@0", "failed@500"])
      assert.strictEqual((yield* stored(id)).error_code, "sender_phone_number_unavailable")
    })
  )

  it.effect("applies a write of another node to the next send, whatever memory holds M-MSG-23 M-ERR-05", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      const refusal = Effect.map(Effect.flip(accept(number)), ({ _tag }) => _tag)
      const consent = (status: string) => sql`update contacts set opt_in_status = ${status}
        where environment_id = ${number.environment_id}`
      yield* accept(number)
      yield* consent("opted_out")
      assert.strictEqual(yield* refusal, "contact_opted_out")
      assert.strictEqual(yield* refusal, "contact_opted_out")
      yield* consent("opted_in")
      yield* accept(number)
      yield* sql`update phone_numbers set suspended_at = created_at where id = ${number.id}`
      assert.strictEqual(yield* refusal, "phone_service_suspended")
      yield* sql`update phone_numbers set suspended_at = null, phone = '+5511900004321' where id = ${number.id}`
      const { id } = yield* accept(number)
      const [row] = yield* sql`select business_phone from messages where id = ${id}`
      assert.deepStrictEqual(row, { business_phone: "+5511900004321" })
    })
  )

  it.effect("needs one statement, the commit, for sends to customers who wrote recently M-MSG-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      yield* accept(number)
      // A read of this customer's window now finds none.
      yield* sql`delete from service_windows where business_id = ${number.id}`
      yield* accept(number)
      assert.strictEqual((yield* Effect.flip(accept(number, { reply_to: "msg_none" })))._tag, "message_not_found")
    })
  )

  it.effect("compares a keyword with the whole text, and the later choice wins", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      yield* hear(number, { body: "please stop" })
      yield* accept(number)
      yield* turnBy(1)
      yield* hear(number, { body: "STOP" })
      assert.strictEqual((yield* Effect.flip(accept(number)))._tag, "contact_opted_out")
      assert.strictEqual(
        (yield* Effect.flip(accept(number, { channel: "chatapp", customer_key: customer })))._tag,
        "contact_opted_out"
      )
      yield* turnBy(1)
      yield* Effect.all([hear(number, { body: "start" }), hear(number, { body: "obrigado" })], { concurrency: 2 })
      yield* accept(number)
    })
  )

  it.effect("fails a production message without a connection with no_provider_connection M-DLV-02", () =>
    Effect.gen(function* () {
      const number = yield* Effect.tap(seedSender("production"), (one) => hear(one))
      const at = yield* Clock.currentTimeMillis
      const { id, status } = yield* accept(number, { metadata: jsonText({ sandbox_scenario: "sent_only" }) })
      assert.strictEqual(status, "queued")
      yield* turnBy(1)
      const row = yield* stored(id)
      assert.deepStrictEqual([row.status, row.error_code, row.due_at], ["failed", "no_provider_connection", null])
      assert.deepStrictEqual(
        (yield* steps(id, at)).map((step) => step.split("@")[0]),
        ["queued", "failed"]
      )
      assert.deepStrictEqual(
        (yield* announced(id)).map((event) => [event.type, event.data.error_code]),
        [["message.failed", "no_provider_connection"]]
      )
    })
  )
})
