import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { connectionOf } from "../support/Chat.ts"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { accept } from "./Sending.ts"
import { coverNumber, prepare, welcome } from "./Templates.ts"

const key = (n: number) => `5511900${String(n).padStart(6, "0")}`

const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf(({ message_id }) =>
      Effect.succeed({ _tag: "Accepted", provider_message_id: `up-${message_id}`, response: {} })
    )
  )
)

/** The texts of the statements that owners read with. */
const reads: Array<string> = []

const counting = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const unsafe: typeof sql.unsafe = (text, ...parameters) => {
      reads.push(text)
      return sql.unsafe(text, ...parameters)
    }
    return new Proxy(sql, { get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)) })
  })
).pipe(Layer.provideMerge(TestDatabase.layer))

const owners = messagesRoom.owners.pipe(Layer.provide(connected))

it.layer(OwnerTest(owners, {}, { database: counting }), { excludeTestServices: true })("The cost of a send", (it) => {
  /** Sends templates to new recipients, and counts reads and commits from the second one on. */
  const costOf = Effect.fnUntraced(function* (number: TestNumber, from: number) {
    const sql = yield* SqlClient.SqlClient
    const commits = Effect.map(
      sql<{ readonly n: number }>`select count(*)::int4 as n from commits`,
      ([row]) => row?.n ?? 0
    )
    const send = (n: number) => Effect.andThen(accept(number, welcome(key(from + n))), turnBy(1000))
    yield* send(0)
    yield* turnBy(5000)
    reads.length = 0
    const before = yield* commits
    for (let n = 1; n < 8; n++) yield* send(n)
    const after = yield* commits
    return {
      commits: after - before,
      reads: reads.length,
      asked: reads.filter((text) => text.includes("portfolio_leases")).length
    }
  }, Effect.orDie)

  it.effect("takes as many statements in a portfolio as alone, while its block lasts U-LIM-01", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const numbers: Array<TestNumber> = []
      for (let n = 0; n < 2; n++) {
        const number = yield* seedSender("production")
        yield* prepare(number, "tier_50")
        yield* coverNumber(number)
        numbers.push(number)
      }
      const [alone, shared] = numbers as [TestNumber, TestNumber]
      yield* sql`insert into portfolios (id, messaging_limit_tier, messaging_tier, updated_at)
        values ('portfolio', 'TIER_50', 'tier_50', now())`
      yield* sql`update phone_numbers set portfolio_id = 'portfolio' where id = ${shared.id}`
      const cost = yield* costOf(alone, 0)
      assert.isAbove(cost.reads, 0)
      assert.isAbove(cost.commits, 0)
      assert.strictEqual(cost.asked, 0)
      assert.deepStrictEqual(yield* costOf(shared, 100), cost)
      const [lease] = yield* sql`select quota from portfolio_leases where business_id = ${shared.id}`
      assert.deepStrictEqual(lease, { quota: 11 })
    })
  )
})
