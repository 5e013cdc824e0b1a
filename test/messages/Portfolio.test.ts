import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type ChatAnswer, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { remainingAllowance } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { PacingRepo } from "@carteiro/runtime/messages/pacing/PacingRepo.ts"
import { PortfolioRepo } from "@carteiro/runtime/messages/portfolio/PortfolioRepo.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { connectionOf } from "../support/Chat.ts"
import { seedNumber, type TestNumber } from "../support/Numbers.ts"
import { fence, OwnerTest, reclaim, turnBy, whileTurning } from "../support/OwnerTest.ts"
import { accept, stored } from "./Sending.ts"
import { prepare, welcome } from "./Templates.ts"

const minute = 60_000
const day = 86_400_000
const key = (n: number) => `5511900${String(n).padStart(6, "0")}`

/** The provider's answers by recipient; it accepts messages to all others. */
const answers = new Map<string, ReadonlyArray<ChatAnswer>>()
const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf(({ message_id, recipient, sender }) =>
      Effect.sync(() => {
        const [answer, ...rest] = answers.get(`${sender.id} ${recipient}`) ?? []
        answers.set(`${sender.id} ${recipient}`, rest)
        return answer ?? { _tag: "Accepted", provider_message_id: `up-${message_id}`, response: {} }
      })
    )
  )
)

const rejected: ChatAnswer = {
  _tag: "Rejected",
  code: "upstream_rejected",
  error: { provider: "upstream", code: 131026, subcode: null, title: null, message: null, http_status: 400 }
}

const owners = Layer.mergeAll(messagesRoom.owners.pipe(Layer.provide(connected)), PacingRepo.layer, PortfolioRepo.layer)

let portfolios = 0

/** Returns a new portfolio whose owner has another shard than these numbers: a test takes only theirs away. */
const apartFrom = Effect.fnUntraced(function* (numbers: ReadonlyArray<TestNumber>) {
  const sharding = yield* Sharding.Sharding
  const shardOf = (id: string) => sharding.getShardId(EntityId.make(id), "default").id
  const taken = new Set(numbers.map(({ id }) => shardOf(id)))
  let id = `portfolio-${++portfolios}`
  for (let tries = 0; tries < 100 && taken.has(shardOf(id)); tries++) id = `portfolio-${++portfolios}`
  return id
})

it.layer(OwnerTest(owners), { excludeTestServices: true })("The allowance of a portfolio", (it) => {
  /** Makes numbers of one portfolio, in one environment or in one each. */
  const stage = Effect.fnUntraced(function* (count: number, tier = "tier_50", apart = false) {
    answers.clear()
    const sql = yield* SqlClient.SqlClient
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const together = ids.mint("env", now)
    const numbers: Array<TestNumber> = []
    for (let n = 0; n < count; n++) {
      const number = yield* seedNumber({ id: apart ? ids.mint("env", now) : together, kind: "production" })
      if (apart || n === 0) yield* prepare(number, tier)
      numbers.push(number)
    }
    const portfolio = yield* apartFrom(numbers)
    yield* sql`insert into portfolios (id, messaging_limit_tier, messaging_tier, updated_at)
      values (${portfolio}, ${tier.toUpperCase()}, ${tier}, now())`
    yield* sql`update phone_numbers set portfolio_id = ${portfolio}, messaging_tier = ${tier}, quality_rating = 'green'
      where id in ${sql.in(numbers.map(({ id }) => id))}`
    return { portfolio, numbers, sql, now }
  }, Effect.orDie)

  /** What a number shows: its own recipients of the last day, and how many are left. */
  const shown = Effect.fnUntraced(function* (number: TestNumber) {
    const pacing = yield* PacingRepo
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{
      readonly status: string
      readonly messaging_tier: string
      readonly quality_rating: "green"
      readonly portfolio_id: string
    }>`select status, messaging_tier, quality_rating, portfolio_id from phone_numbers where id = ${number.id}`
    if (row === undefined) return []
    const own = (yield* pacing.countRecipients(number.environment_id, [number.id], now)).get(number.id)
    const shared = (yield* pacing.countPortfolios([row.portfolio_id], now)).get(row.portfolio_id)
    return [own, remainingAllowance(row, own, shared)]
  }, Effect.orDie)

  const sendAll = Effect.fnUntraced(function* (number: TestNumber, from: number, count: number) {
    const sent: Array<string> = []
    for (let n = 0; n < count; n++) {
      // A call whose owner was loaded again meanwhile is made again.
      sent.push((yield* whileTurning(accept(number, welcome(key(from + n))))).id)
    }
    return sent
  })
  const statuses = (messages: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(messages, (id) => stored(id)),
      (rows) => ({
        sent: rows.filter(({ status }) => status === "sent").length,
        held: rows.filter(({ status_reason }) => status_reason === "messaging_limit_pacing").length
      })
    )
  /** Moves everything that the numbers of a portfolio did back in time, and restarts their owners. */
  const age = Effect.fnUntraced(function* (numbers: ReadonlyArray<TestNumber>, millis: number) {
    const sql = yield* SqlClient.SqlClient
    const span = `${millis} milliseconds`
    const ids = sql.in(numbers.map(({ id }) => id))
    yield* sql`update allowance_slots set expires_at = expires_at - ${span}::interval where business_id in ${ids}`
    yield* sql`update number_pacing set due_at = due_at - ${span}::interval where business_id in ${ids}`
    yield* sql`update portfolio_leases set left_at = left_at - ${span}::interval,
      recalled_at = recalled_at - ${span}::interval where business_id in ${ids}`
    // A fence that no commit meets would stop the first send of a later test whose number has the shard.
    for (const { id } of numbers) {
      yield* fence(id)
      yield* reclaim(id)
    }
    yield* turnBy(3 * minute)
  }, Effect.orDie)
  const leaseOf = Effect.fnUntraced(function* (number: TestNumber) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly quota: number; readonly is_recalled: boolean }>`select
      quota, is_recalled from portfolio_leases where business_id = ${number.id}`
    return row
  }, Effect.orDie)

  it.effect(
    "is shared by its numbers, whoever's they are: together they never reach more recipients, and what waits goes a day later U-LIM-01 M-PHN-15 M-PHN-16",
    () =>
      Effect.gen(function* () {
        const { numbers } = yield* stage(2, "tier_50", true)
        const [one, other] = numbers as [TestNumber, TestNumber]
        assert.deepStrictEqual(
          [yield* shown(one), yield* shown(other)],
          [
            [0, 45],
            [0, 45]
          ]
        )
        const first = yield* sendAll(one, 0, 30)
        yield* turnBy(10_000)
        assert.deepStrictEqual(
          [yield* shown(one), yield* shown(other)],
          [
            [30, 15],
            [0, 15]
          ]
        )
        const second = yield* sendAll(other, 100, 30)
        yield* turnBy(2 * minute)
        assert.deepStrictEqual(yield* statuses(first), { sent: 30, held: 0 })
        assert.deepStrictEqual(yield* statuses(second), { sent: 15, held: 15 })
        assert.deepStrictEqual(
          [yield* shown(one), yield* shown(other)],
          [
            [30, 0],
            [15, 0]
          ]
        )
        yield* age(numbers, day)
        assert.deepStrictEqual(yield* statuses(second), { sent: 30, held: 0 })
      })
  )

  it.effect("is leased a block at a time, before the one before is used up: no send waits for it U-LIM-01", () =>
    Effect.gen(function* () {
      const { numbers } = yield* stage(2)
      const [one] = numbers as [TestNumber]
      yield* sendAll(one, 0, 1)
      yield* turnBy(2000)
      const lease = yield* leaseOf(one)
      assert.deepStrictEqual(lease, { quota: 11, is_recalled: false })
      yield* sendAll(one, 1, 7)
      yield* turnBy(5000)
      assert.deepStrictEqual(yield* leaseOf(one), lease)
      const last = yield* sendAll(one, 8, 1)
      yield* turnBy(2000)
      assert.deepInclude(yield* leaseOf(one), { quota: 19 })
      assert.deepStrictEqual(yield* statuses(last), { sent: 1, held: 0 })
    })
  )

  it.effect("counts a recipient of two numbers of an environment once U-LIM-01", () =>
    Effect.gen(function* () {
      const { numbers, sql } = yield* stage(2)
      const [one, other] = numbers as [TestNumber, TestNumber]
      yield* sendAll(one, 0, 3)
      yield* turnBy(2000)
      const shared = yield* sendAll(other, 0, 3)
      yield* turnBy(2000)
      assert.deepStrictEqual(yield* statuses(shared), { sent: 3, held: 0 })
      assert.deepStrictEqual(
        [yield* shown(one), yield* shown(other)],
        [
          [3, 42],
          [3, 42]
        ]
      )
      // A refusal frees the recipient's place at the second number only: the first one did reach them.
      answers.set(`${other.id} +${key(3)}`, [rejected])
      yield* sendAll(one, 3, 1)
      yield* turnBy(2000)
      yield* sendAll(other, 3, 1)
      yield* turnBy(2000)
      assert.deepStrictEqual(
        [yield* shown(one), yield* shown(other)],
        [
          [4, 41],
          [3, 41]
        ]
      )
      // What was shared ends with the slot that was opened first.
      const ends = yield* sql<{ readonly n: number }>`select count(distinct expires_at)::int4 as n from allowance_slots
        where customer_key = ${key(0)} and environment_id = ${one.environment_id}`
      assert.deepStrictEqual(ends, [{ n: 1 }])
    })
  )

  it.effect("does not tell one tenant whom another wrote to: their recipients are compared nowhere U-LIM-01", () =>
    Effect.gen(function* () {
      const { numbers } = yield* stage(2, "tier_50", true)
      const [one, other] = numbers as [TestNumber, TestNumber]
      yield* sendAll(one, 0, 3)
      yield* turnBy(2000)
      yield* sendAll(other, 0, 3)
      yield* turnBy(2000)
      assert.deepStrictEqual(
        [yield* shown(one), yield* shown(other)],
        [
          [3, 39],
          [3, 39]
        ]
      )
    })
  )

  it.effect(
    "is left whole by a number whose node dies with a block: its next owner returns what nobody used U-LIM-01",
    () =>
      Effect.gen(function* () {
        const { numbers } = yield* stage(2)
        const [one, other] = numbers as [TestNumber, TestNumber]
        yield* sendAll(one, 0, 1)
        yield* turnBy(2000)
        assert.deepInclude(yield* leaseOf(one), { quota: 11 })
        yield* fence(one.id)
        // All that is left but the ten slots that the dead node held.
        const sent = yield* sendAll(other, 100, 44)
        yield* turnBy(2 * minute)
        assert.deepStrictEqual(yield* statuses(sent), { sent: 44, held: 0 })
        assert.deepInclude(yield* leaseOf(one), { quota: 1, is_recalled: false })
        assert.deepStrictEqual(yield* shown(other), [44, 0])
      })
  )

  it.effect(
    "opens nothing by an earlier limit once a smaller one is known, and everything again once it rises U-LIM-01 U-LIM-02",
    () =>
      Effect.gen(function* () {
        const { numbers, portfolio, sql } = yield* stage(2, "tier_250")
        const [one, other] = numbers as [TestNumber, TestNumber]
        yield* sendAll(one, 0, 30)
        yield* turnBy(10_000)
        yield* sendAll(other, 100, 10)
        yield* turnBy(10_000)
        const limit = Effect.fnUntraced(function* (tier: string) {
          yield* sql`with p as (update portfolios set messaging_tier = ${tier},
            limit_revision = limit_revision + 1 where id = ${portfolio})
          update phone_numbers set messaging_tier = ${tier} where portfolio_id = ${portfolio}`
        }, Effect.orDie)
        yield* limit("tier_50")
        const late = [...(yield* sendAll(one, 200, 10)), ...(yield* sendAll(other, 300, 10))]
        yield* turnBy(3 * minute)
        assert.deepStrictEqual(yield* statuses(late), { sent: 5, held: 15 })
        assert.deepStrictEqual((yield* shown(one))[1], 0)
        yield* limit("tier_250")
        yield* turnBy(2 * minute)
        assert.deepStrictEqual(yield* statuses(late), { sent: 20, held: 0 })
        yield* limit("unlimited")
        yield* turnBy(minute)
        const lease = yield* leaseOf(one)
        yield* sendAll(one, 400, 20)
        yield* turnBy(10_000)
        assert.deepStrictEqual(yield* leaseOf(one), lease)
      })
  )

  it.effect("is divided equally among numbers that wait: none is starved by the one that came first U-LIM-01", () =>
    Effect.gen(function* () {
      const { numbers } = yield* stage(2)
      const [one, other] = numbers as [TestNumber, TestNumber]
      const many: Array<string> = []
      for (let n = 0; n < 120; n += 20) {
        many.push(...(yield* sendAll(one, n, 20)))
        yield* turnBy(1000)
      }
      yield* turnBy(30_000)
      const few = yield* sendAll(other, 500, 20)
      yield* turnBy(2 * minute)
      assert.deepStrictEqual(yield* statuses(many), { sent: 45, held: 75 })
      assert.deepStrictEqual(yield* statuses(few), { sent: 0, held: 20 })
      yield* age(numbers, day)
      assert.deepStrictEqual(yield* statuses(few), { sent: 20, held: 0 })
      assert.isAtMost((yield* statuses(many)).sent, 70)
    })
  )

  it.effect("goes on counting a number that moved to another portfolio until its slots have ended U-LIM-01", () =>
    Effect.gen(function* () {
      const { numbers, sql } = yield* stage(2)
      const { portfolio: next } = yield* stage(1)
      const [one, other] = numbers as [TestNumber, TestNumber]
      yield* sendAll(one, 0, 20)
      yield* turnBy(10_000)
      yield* sql`update phone_numbers set portfolio_id = ${next} where id = ${one.id}`
      const sent = yield* sendAll(other, 100, 40)
      yield* turnBy(2 * minute)
      assert.deepStrictEqual(yield* statuses(sent), { sent: 25, held: 15 })
      const moved = yield* sendAll(one, 300, 40)
      yield* turnBy(2 * minute)
      // Its recipients of the last day count where it is now, too.
      assert.deepStrictEqual(yield* statuses(moved), { sent: 25, held: 15 })
      yield* age(numbers, day)
      assert.deepStrictEqual(yield* statuses([...sent, ...moved]), { sent: 80, held: 0 })
    })
  )

  it.effect(
    "counts a number that came back and left again from its last departure on, though the portfolio did not look in between U-LIM-01",
    () =>
      Effect.gen(function* () {
        const { numbers, now, portfolio, sql } = yield* stage(2)
        const { portfolio: next } = yield* stage(1)
        const [one] = numbers as [TestNumber, TestNumber]
        const repo = yield* PortfolioRepo
        const commit = yield* Commit
        const leftAt = Effect.map(
          repo.read(portfolio, now),
          (read) => read.numbers.find(({ business_id }) => business_id === one.id)?.left_at
        )
        /** The health check finds the number in a portfolio. */
        const move = (portfolio_id: string, upstream_health_synced_at: number) =>
          commit.write([
            numberChanges.reportHealth({
              environment_id: one.environment_id,
              id: one.id,
              portfolio_id,
              messaging_limit_tier: "TIER_50",
              messaging_tier: "tier_50",
              quality_rating: "green",
              upstream_quality_rating: "GREEN",
              upstream_throughput_tier: null,
              verified_name: null,
              pending_name: null,
              upstream_health_synced_at
            })
          ])
        yield* sql`insert into portfolio_leases (portfolio_id, business_id, quota, allowance, left_at)
          values (${portfolio}, ${one.id}, 0, 45, ${new Date(now - 2 * day)})`
        yield* move(next, now - day)
        assert.strictEqual(yield* leftAt, now - day)
        yield* move(portfolio, now - 1000)
        yield* move(next, now - 500)
        assert.strictEqual(yield* leftAt, now - 500)
        // A look that finds it where it was changes nothing.
        yield* move(next, now)
        assert.strictEqual(yield* leftAt, now - 500)
      }).pipe(Effect.orDie)
  )
})
