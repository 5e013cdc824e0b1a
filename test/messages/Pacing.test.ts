import { Commit } from "@carteiro/owners/Commit.ts"
import type { ChatAnswer } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { resumeMarketing } from "@carteiro/runtime/messages/guards/GuardWrites.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { type AllowedNumber, remainingAllowance } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { PacingRepo } from "@carteiro/runtime/messages/pacing/PacingRepo.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { connectionOf } from "../support/Chat.ts"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { fence, OwnerTest, turnBy, turnTo } from "../support/OwnerTest.ts"
import { accept, hear, stored } from "./Sending.ts"
import { coverNumber, prepare, promo, welcome } from "./Templates.ts"

const minute = 60_000
const day = 86_400_000
const key = (n: number) => `5511900${String(n).padStart(6, "0")}`

/** The provider's answers by recipient; it accepts messages to all others. */
const answers = new Map<string, Array<ChatAnswer>>()
const called: Array<string> = []
const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf(({ message_id, recipient }) =>
      Effect.sync(() => {
        called.push(recipient)
        return (
          answers.get(recipient)?.shift() ?? {
            _tag: "Accepted",
            provider_message_id: `up-${message_id}`,
            response: {}
          }
        )
      })
    )
  )
)

const rejected = (code: number, name = "upstream_rejected"): ChatAnswer => ({
  _tag: "Rejected",
  code: name,
  error: { provider: "upstream", code, subcode: null, title: null, message: null, http_status: 400 }
})

const notTaken = (reason: "throughput" | "pair" | "transient", code: number): ChatAnswer => ({
  _tag: "NotSent",
  reason,
  code: "upstream_rejected",
  error: { provider: "upstream", code, subcode: null, title: null, message: null, http_status: 429 }
})

/** The allowance that the number shows. */
const allowance = Effect.fnUntraced(function* (number: TestNumber) {
  const pacing = yield* PacingRepo
  const counted = yield* pacing.countRecipients(number.environment_id, [number.id], yield* Clock.currentTimeMillis)
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<AllowedNumber>`select status, messaging_tier, quality_rating from phone_numbers
    where id = ${number.id}`
  const used = counted.get(number.id)
  return [used, row === undefined ? undefined : remainingAllowance(row, used)]
}, Effect.orDie)

const stateOf = (id: string) => Effect.map(stored(id), ({ status, status_reason }) => [status, status_reason])
const waits = ["queued", "messaging_limit_pacing"]

const owners = Layer.merge(messagesRoom.owners.pipe(Layer.provide(connected)), PacingRepo.layer)

it.layer(OwnerTest(owners), { excludeTestServices: true })("Pacing of new recipients", (it) => {
  const ready = Effect.fnUntraced(function* (
    kind: "sandbox" | "production" = "production",
    tier = "tier_50",
    quality = "green"
  ) {
    answers.clear()
    called.length = 0
    const number = yield* seedSender(kind)
    yield* prepare(number, tier, quality)
    if (kind === "production") yield* coverNumber(number)
    return number
  })
  /** Uses up the allowance of 22 of a number of tier_50 and red quality. */
  const fill = Effect.fnUntraced(function* (number: TestNumber, count = 22) {
    for (let n = 0; n < count; n++) yield* accept(number, welcome(key(n)))
    yield* turnBy(5000)
  })

  /** The owner loses its shard and gets it back without memory. */
  const moved = Effect.fnUntraced(function* (number: TestNumber) {
    yield* fence(number.id)
    const heard = yield* Effect.forkChild(Effect.retry(hear(number, { customer_key: key(900) }), { times: 100 }))
    while (heard.pollUnsafe() === undefined) yield* turnBy(50)
    yield* Fiber.join(heard)
    yield* turnBy(1000)
  })

  /** Moves the number's slots back in time by that much, and restarts its owner. */
  const age = Effect.fnUntraced(function* (number: TestNumber, millis: number) {
    const sql = yield* SqlClient.SqlClient
    const span = `${millis} milliseconds`
    yield* sql`update allowance_slots set expires_at = expires_at - ${span}::interval where business_id = ${number.id}`
    yield* sql`update number_pacing set due_at = due_at - ${span}::interval where business_id = ${number.id}`
    yield* moved(number)
  })

  it.effect(
    "holds a send above the allowance from its acceptance on and sends it when a slot ends M-MSG-07 M-MSG-08 M-MSG-09 M-EVT-12 M-PHN-15 M-PHN-16",
    () =>
      Effect.gen(function* () {
        const number = yield* ready("production", "tier_50", "red")
        assert.deepStrictEqual(yield* allowance(number), [0, 22])
        yield* fill(number)
        assert.deepStrictEqual(yield* allowance(number), [22, 0])
        const late = yield* accept(number, welcome(key(100)))
        const later = yield* accept(number, promo(key(101)))
        assert.strictEqual((late as { readonly status_reason?: string }).status_reason, "messaging_limit_pacing")
        // A recipient with a slot never waits.
        const known = yield* accept(number, welcome(key(3)))
        yield* turnBy(minute)
        assert.deepStrictEqual(yield* stateOf(late.id), waits)
        assert.strictEqual((yield* stored(known.id)).status, "sent")
        assert.deepStrictEqual(yield* allowance(number), [22, 0])
        yield* age(number, day - 30 * minute)
        assert.deepStrictEqual(yield* stateOf(late.id), waits)
        const sql = yield* SqlClient.SqlClient
        const [slot] = yield* sql<{ readonly at: number }>`select min(expires_at) as at from allowance_slots
          where business_id = ${number.id}`
        yield* turnTo((slot?.at ?? 0) - 1)
        assert.deepStrictEqual(yield* stateOf(late.id), waits)
        yield* turnBy(2000)
        assert.deepStrictEqual(yield* stateOf(late.id), ["sent", null])
        assert.deepStrictEqual(yield* stateOf(later.id), ["sent", null])
        const events = JSON.parse((yield* stored(late.id)).events ?? "[]") as ReadonlyArray<{ readonly type: string }>
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["message.queued", "message.released", "message.sending", "message.sent"]
        )
      })
  )

  it.effect(
    "releases oldest first, as many as there are slots, and earlier once tier or quality improve M-MSG-08",
    () =>
      Effect.gen(function* () {
        const number = yield* ready("production", "tier_50", "red")
        yield* fill(number)
        const sql = yield* SqlClient.SqlClient
        const held: Array<string> = []
        for (let n = 0; n < 12; n++) held.push((yield* accept(number, welcome(key(100 + n)))).id)
        yield* sql`update phone_numbers set quality_rating = 'yellow' where id = ${number.id}`
        const commit = yield* Commit
        const now = yield* Clock.currentTimeMillis
        yield* commit.write([
          Messages.pacingChanges.hasten({ environment_id: number.environment_id, business_id: number.id, due_at: now })
        ])
        const owners = yield* Messages.PhoneNumberEntity.client
        owners.wake(number.id)
        yield* turnBy(2000)
        // 50 x 0.9 x 0.7 = 31 in place of 22.
        const states = yield* Effect.forEach(held, (id) => Effect.map(stored(id), ({ status }) => status))
        assert.deepStrictEqual(states, [...Array(9).fill("sent"), ...Array(3).fill("queued")])
        yield* sql`update phone_numbers set messaging_tier = 'unlimited' where id = ${number.id}`
        yield* turnBy(minute)
        for (const id of held) assert.strictEqual((yield* stored(id)).status, "sent")
      })
  )

  it.effect("releases at once the messages held for a customer who writes, and no others M-MSG-08 M-WIN-03", () =>
    Effect.gen(function* () {
      const number = yield* ready("production", "tier_50", "red")
      yield* fill(number)
      const first = yield* accept(number, welcome(key(100)))
      const second = yield* accept(number, welcome(key(101)))
      yield* turnBy(1000)
      yield* hear(number, { customer_key: key(101) })
      yield* turnBy(1000)
      assert.deepStrictEqual(yield* stateOf(first.id), waits)
      assert.deepStrictEqual(yield* stateOf(second.id), ["sent", null])
      assert.deepStrictEqual(yield* allowance(number), [22, 0])
    })
  )

  it.effect(
    "gives a slot back when the provider refuses, and keeps it when the result is unknown, gaps-2 D Which sends use a slot",
    () =>
      Effect.gen(function* () {
        const number = yield* ready("production", "tier_50", "red")
        answers.set(`+${key(0)}`, [rejected(131026)])
        answers.set(`+${key(1)}`, [{ _tag: "Unknown" }])
        for (let n = 0; n < 3; n++) yield* accept(number, welcome(key(n)))
        yield* turnBy(2000)
        assert.deepStrictEqual(yield* allowance(number), [2, 20])
        // Two messages share one slot: the accepted one keeps it.
        answers.set(`+${key(2)}`, [rejected(131026)])
        yield* accept(number, welcome(key(2)))
        yield* turnBy(2000)
        assert.deepStrictEqual(yield* allowance(number), [2, 20])
        const sql = yield* SqlClient.SqlClient
        // An owner without memory counts the rows of the table.
        yield* moved(number)
        for (let n = 10; n < 31; n++) yield* accept(number, welcome(key(n)))
        yield* turnBy(2000)
        const [row] = yield* sql`select count(*)::int4 as n from messages where business_id = ${number.id}
        and status = 'queued' and status_reason is not null`
        assert.deepStrictEqual(row, { n: 1 })
        assert.deepStrictEqual(yield* allowance(number), [22, 0])
      })
  )

  it.effect("costs free-form messages neither a slot nor a read of slots M-MSG-07", () =>
    Effect.gen(function* () {
      const number = yield* ready("production", "tier_50", "red")
      yield* fill(number)
      yield* accept(number, welcome(key(100)))
      yield* hear(number, { customer_key: key(200) })
      const { id } = yield* accept(number, { customer_key: key(200) })
      yield* turnBy(1000)
      assert.strictEqual((yield* stored(id)).status, "sent")
      assert.deepStrictEqual(yield* allowance(number), [22, 0])
    })
  )

  it.effect("never paces without a limit, and shows null for it M-PHN-18", () =>
    Effect.gen(function* () {
      const number = yield* ready("production", "unlimited", "red")
      for (let n = 0; n < 60; n++) yield* accept(number, welcome(key(n)))
      yield* turnBy(20_000)
      assert.deepStrictEqual(yield* allowance(number), [0, null])
      const sql = yield* SqlClient.SqlClient
      const [row] =
        yield* sql`select count(*)::int4 as n from messages where business_id = ${number.id} and status = 'sent'`
      assert.deepStrictEqual(row, { n: 60 })
    })
  )

  it.effect("estimates for a batch how many recipients wait, and for how many windows M-BAT-03 M-BAT-04 M-BAT-05", () =>
    Effect.gen(function* () {
      const number = yield* ready("production", "tier_50", "red")
      yield* fill(number, 12)
      yield* hear(number, { customer_key: key(500) })
      const pacing = yield* PacingRepo
      const estimate = (keys: ReadonlyArray<string>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => pacing.estimateBatch(number, keys, now))
      // Ten slots are free; a recipient with a slot or an open window needs none; a repeated recipient counts once.
      const ten = Array.from({ length: 10 }, (_, n) => key(100 + n))
      const none = { deferred_recipient_count: 0, estimated_windows: 1 }
      assert.deepStrictEqual(yield* estimate([...ten, ...ten, key(1), key(500)]), none)
      assert.deepStrictEqual(yield* estimate([...ten, key(200)]), { deferred_recipient_count: 1, estimated_windows: 2 })
      const many = Array.from({ length: 60 }, (_, n) => key(100 + n))
      assert.deepStrictEqual(yield* estimate(many), { deferred_recipient_count: 50, estimated_windows: 4 })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update phone_numbers set messaging_tier = 'unlimited' where id = ${number.id}`
      assert.isNull(yield* estimate(many))
    })
  )

  it.effect("retries after a lack of throughput, with pauses in its row, and gives up after 15 minutes M-DLV-06", () =>
    Effect.gen(function* () {
      const number = yield* ready()
      answers.set(`+${key(0)}`, [notTaken("throughput", 130429), notTaken("throughput", 80007)])
      answers.set(
        `+${key(1)}`,
        Array.from({ length: 60 }, () => notTaken("pair", 131056))
      )
      const passing = yield* accept(number, welcome(key(0)))
      const stuck = yield* accept(number, welcome(key(1)))
      yield* turnBy(900)
      assert.strictEqual((yield* stored(passing.id)).status, "queued")
      yield* fence(number.id)
      yield* turnBy(5000)
      assert.strictEqual((yield* stored(passing.id)).status, "sent")
      yield* turnBy(14 * minute)
      assert.strictEqual((yield* stored(stuck.id)).status, "queued")
      yield* turnBy(3 * minute)
      const { error_code, provider_error, status } = yield* stored(stuck.id)
      assert.deepStrictEqual([status, error_code], ["failed", "phone_number_rate_limit_exhausted"])
      assert.strictEqual(JSON.parse(provider_error ?? "null").code, 131056)
      assert.strictEqual(called.filter((one) => one === `+${key(0)}`).length, 3)
      assert.isBelow(called.filter((one) => one === `+${key(1)}`).length, 15)
    })
  )

  it.effect("retries six times after a temporary failure, gaps-2 E Retry policy", () =>
    Effect.gen(function* () {
      const number = yield* ready()
      answers.set(
        `+${key(7)}`,
        Array.from({ length: 60 }, () => notTaken("transient", 131000))
      )
      const { id } = yield* accept(number, welcome(key(7)))
      yield* turnBy(62_000)
      assert.strictEqual((yield* stored(id)).status, "queued")
      yield* turnBy(60_000)
      assert.deepStrictEqual(
        [(yield* stored(id)).status, (yield* stored(id)).error_code],
        ["failed", "upstream_rejected"]
      )
      assert.strictEqual(called.filter((one) => one === `+${key(7)}`).length, 7)
    })
  )

  it.effect("stores the marketing codes of the upstream M-GRD-11 M-GRD-12 M-GRD-13 M-GRD-27 M-DLV-18", () =>
    Effect.gen(function* () {
      const number = yield* ready("production", "tier_1k")
      const refusedFor = Effect.fnUntraced(function* (n: number, name: string) {
        const refusal = yield* Effect.flip(accept(number, promo(key(n), name)))
        return [refusal._tag, refusal.details?.guard_reason, refusal.details?.next_allowed_at]
      })
      const tried = Effect.fnUntraced(function* (n: number, name: string, answer: ChatAnswer) {
        answers.set(`+${key(n)}`, [answer])
        const { id } = yield* accept(number, promo(key(n), name))
        yield* turnBy(1000)
        assert.strictEqual((yield* stored(id)).status, "failed")
      })
      yield* tried(1, "a", rejected(131049, "upstream_engagement_limited"))
      const limited = yield* refusedFor(1, "b")
      assert.deepStrictEqual(limited.slice(0, 2), ["recipient_frequency_capped", "upstream_engagement_limit"])
      assert.isString(limited[2])
      yield* tried(2, "a", rejected(131026, "upstream_recipient_undeliverable"))
      yield* tried(2, "b", rejected(131026, "upstream_recipient_undeliverable"))
      assert.deepStrictEqual(yield* refusedFor(2, "c"), ["recipient_frequency_capped", "recipient_unreachable", null])
      assert.deepStrictEqual((yield* refusedFor(2, "a")).slice(0, 2), [
        "recipient_duplicate_message",
        "duplicate_content"
      ])
      yield* tried(3, "a", rejected(130472, "upstream_experiment_holdout"))
      assert.deepStrictEqual(yield* refusedFor(3, "b"), ["recipient_frequency_capped", "upstream_holdout", null])
      yield* tried(4, "a", rejected(131050, "upstream_marketing_opted_out"))
      const stopped = ["recipient_frequency_capped", "marketing_stopped", null]
      assert.deepStrictEqual(yield* refusedFor(4, "b"), stopped)
      for (const n of [1, 2, 3, 4]) yield* hear(number, { customer_key: key(n) })
      assert.deepStrictEqual((yield* refusedFor(1, "b")).slice(0, 2), limited.slice(0, 2))
      assert.deepStrictEqual(yield* refusedFor(4, "b"), stopped)
      for (const n of [2, 3]) yield* accept(number, promo(key(n), "d"))
      const commit = yield* Commit
      yield* commit.write([resumeMarketing.row({ account_id: `waba-${number.id}`, customer_key: key(4) })])
      yield* accept(number, promo(key(4), "b"))
    })
  )

  it.effect("refuses marketing for want of a policy when the number never had a connection M-GRD-21", () =>
    Effect.gen(function* () {
      const number = yield* seedSender("production")
      yield* prepare(number, "tier_50")
      const refusal = yield* Effect.flip(accept(number, promo(key(1))))
      assert.deepStrictEqual(
        [refusal.status, refusal._tag, refusal.details],
        [503, "recipient_cadence_policy_unavailable", { guard_reason: "policy_unavailable", next_allowed_at: null }]
      )
      yield* coverNumber(number)
      yield* accept(number, promo(key(1)))
      const sql = yield* SqlClient.SqlClient
      yield* turnBy(1000)
      const warned = new Date((yield* Clock.currentTimeMillis) - 7 * day + minute)
      yield* sql`update provider_connections set last_policy_warning_at = ${warned} where environment_id = ${number.environment_id}`
      assert.strictEqual((yield* Effect.flip(accept(number, promo(key(1), "b"))))._tag, "recipient_frequency_capped")
      yield* turnBy(minute)
      yield* accept(number, promo(key(1), "b"))
    })
  )

  it.effect(
    "works in a sandbox as in production, and reports a released message from its release on M-BAT-11 M-SBX-25",
    () =>
      Effect.gen(function* () {
        const number = yield* ready("sandbox", "tier_50", "red")
        yield* fill(number)
        const { id } = yield* accept(number, welcome(key(100)))
        yield* age(number, day - 30 * minute)
        assert.deepStrictEqual(yield* stateOf(id), waits)
        yield* turnBy(31 * minute)
        assert.strictEqual((yield* stored(id)).status, "read")
      })
  )
})
