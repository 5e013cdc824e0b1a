import { DueRepo } from "@carteiro/runtime/messages/facts/DueRepo.ts"
import { SendingRepo } from "@carteiro/runtime/messages/facts/SendingRepo.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest } from "../support/OwnerTest.ts"
import { accept, customer, hear } from "./Sending.ts"
import { prepare } from "./Templates.ts"

const neighbour = "5511900000007"
const asked = (key: string) => ({ channel: "chatapp", key, subjects: "" }) as const
const together = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(effects, { concurrency: "unbounded" })

const product = Layer.provideMerge(Layer.mergeAll(SendingRepo.layer, DueRepo.layer), OwnerTest(Messages.room.owners))

/** A number to which this customer wrote, and a message to them that waits for its turn. */
const busyNumber = Effect.fnUntraced(function* (customer_key: string) {
  const number = yield* seedSender()
  yield* prepare(number, "tier_1k")
  yield* hear(number, { customer_key })
  const { id } = yield* accept(number, { customer_key })
  return { number, id }
})

it.layer(product, { excludeTestServices: true })("Reads of many numbers' owners in one statement", (it) => {
  it.effect("return each number's own customers, messages and templates and none of another tenant", () =>
    Effect.gen(function* () {
      const repo = yield* SendingRepo
      const one = yield* busyNumber(customer)
      const other = yield* busyNumber(neighbour)
      const bare = yield* seedSender()
      const names = [{ name: "promo", language: "pt_BR" }]
      const both = [asked(customer), asked(neighbour)]
      const ids = [one.id, other.id]
      const [ofOne, ofOther, ofBare, ofNobody, ofPlain] = yield* together([
        repo.readFacts(one.number.id, both, ids, ids, names),
        repo.readFacts(other.number.id, both, ids, ids, names),
        repo.readFacts(bare.id, both, ids, ids, names),
        repo.readFacts("pn_nobody", both, ids, ids, names),
        repo.readFacts(one.number.id, [asked(neighbour)], [], [])
      ])
      const heard = (facts: typeof ofOne) => [...(facts?.windows.keys() ?? [])]
      assert.deepStrictEqual(heard(ofOne), [`chatapp ${customer}`])
      assert.deepStrictEqual(heard(ofOther), [`chatapp ${neighbour}`])
      assert.deepStrictEqual([heard(ofBare), heard(ofNobody), heard(ofPlain)], [[], [], []])
      assert.deepStrictEqual([...(ofOne?.quoted.keys() ?? [])], [one.id])
      assert.deepStrictEqual([...(ofOther?.quoted.keys() ?? [])], [other.id])
      assert.strictEqual(ofOther?.quoted.get(other.id)?.customer_key, neighbour)
      assert.deepStrictEqual([[...(ofOne?.stored ?? [])], [...(ofOther?.stored ?? [])]], [[one.id], [other.id]])
      assert.deepStrictEqual([ofBare?.stored.size, ofBare?.quoted.size, ofBare?.templates.length], [0, 0, 0])
      assert.deepStrictEqual(
        [ofOne, ofOther, ofPlain].map((facts) => facts?.templates.map(({ name }) => name)),
        [["promo"], ["promo"], []]
      )
      assert.notStrictEqual(ofOne?.templates[0]?.id, ofOther?.templates[0]?.id)
      assert.deepStrictEqual(
        [ofOne, ofOther, ofBare, ofNobody, ofPlain].map((facts) => facts?.number?.environment_id),
        [one.number, other.number, bare, undefined, one.number].map((number) => number?.environment_id)
      )
    })
  )

  it.effect("count an opt-out only for numbers of its environment", () =>
    Effect.gen(function* () {
      const repo = yield* SendingRepo
      const sql = yield* SqlClient.SqlClient
      const one = yield* busyNumber(customer)
      const other = yield* busyNumber(customer)
      yield* sql`update contacts set opt_in_status = 'opted_out' where environment_id = ${one.number.environment_id}`
      const found = yield* together(
        [one, other].map(({ number }) => repo.readFacts(number.id, [asked(customer)], [], []))
      )
      assert.deepStrictEqual(
        found.map(({ optedOut }) => [...optedOut]),
        [[`chatapp ${customer}`], []]
      )
    })
  )

  it.effect("fail alone when one of them cannot be made", () =>
    Effect.gen(function* () {
      const repo = yield* SendingRepo
      const { number } = yield* busyNumber(customer)
      const [bad, good] = yield* together([
        Effect.exit(repo.readFacts(number.id, [asked("no\u0000key")], [], [])),
        Effect.exit(repo.readFacts(number.id, [asked(customer)], [], []))
      ])
      assert.isTrue(bad !== undefined && Exit.isFailure(bad))
      assert.deepStrictEqual(good && Exit.isSuccess(good) && [...good.value.windows.keys()], [`chatapp ${customer}`])
    })
  )

  it.effect("return due messages to their own number, each within its limits", () =>
    Effect.gen(function* () {
      const repo = yield* DueRepo
      const now = (yield* Clock.currentTimeMillis) + 60_000
      const one = yield* busyNumber(customer)
      const second = (yield* accept(one.number)).id
      const other = yield* busyNumber(neighbour)
      const readOf = (number: TestNumber, queue: number, steps = 10) => repo.readDue(number, now, { queue, steps })
      const found = yield* together([
        readOf(one.number, 10),
        readOf(one.number, 1),
        readOf(other.number, 10),
        readOf(other.number, 0),
        readOf({ ...other.number, environment_id: one.number.environment_id }, 10)
      ])
      assert.deepStrictEqual(
        found.map((due) => due.map(({ id }) => id)),
        [[one.id, second], [one.id], [other.id], [], []]
      )
      assert.deepStrictEqual(
        found[2]?.map(({ customer_key, latest_inbound_at, opted_out }) => [
          customer_key,
          latest_inbound_at !== null,
          opted_out
        ]),
        [[neighbour, true, false]]
      )
    })
  )

  it.effect("return when each number's own work is due, and nothing for an unknown number", () =>
    Effect.gen(function* () {
      const repo = yield* DueRepo
      const { number } = yield* busyNumber(customer)
      const idle = yield* seedSender()
      const [busy, quiet, unknown, account] = yield* together(
        [number.id, idle.id, "pn_nobody", "pcn_nobody"].map((id) => repo.dueInstants(id))
      )
      assert.deepStrictEqual(
        [busy, quiet].map((found) => found?.number?.environment_id),
        [number.environment_id, idle.environment_id]
      )
      assert.isDefined(busy?.queue)
      assert.deepStrictEqual([quiet?.queue, quiet?.steps], [undefined, undefined])
      assert.deepStrictEqual([unknown?.number, account?.number], [undefined, undefined])
    })
  )
})
