import * as Billing from "@carteiro/runtime/billing/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { fence, OwnerTest, quiesce, turnBy } from "../support/OwnerTest.ts"
import {
  askFor,
  correct,
  entriesOf,
  type Funded,
  hold,
  inTime,
  mint,
  release,
  seedFunds,
  settle,
  use,
  useAll,
  violations,
  walletOf
} from "./Accounts.ts"
import { billingOwners } from "./TestActs.ts"

const product = OwnerTest(Layer.provideMerge(billingOwners, Billing.room.services), Billing.room.followers)
const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag as string, onSuccess: (value) => value })

it.layer(product, { excludeTestServices: true })("The owner of a wallet", (it) => {
  it.effect("a hold lowers the balance and raises the held amount; settling and releasing end it C-BAL-06..08", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(100_0000)
      const settled = yield* hold(account, 10_0000)
      const released = yield* hold(account, 5_0000)
      assert.deepStrictEqual(yield* walletOf(account), { balance: 85_0000, held: 15_0000, blocked: false })
      assert.strictEqual(yield* settle(account, settled.id), "settled")
      assert.deepStrictEqual(yield* walletOf(account), { balance: 85_0000, held: 5_0000, blocked: false })
      assert.strictEqual(yield* release(account, released.id), "released")
      assert.deepStrictEqual(yield* walletOf(account), { balance: 90_0000, held: 0, blocked: false })
      const entries = yield* entriesOf(account)
      assert.deepStrictEqual(
        entries.map(({ amount, meter_id, source_type, trace_id, type, uncollected }) => [
          type,
          amount,
          source_type,
          meter_id,
          trace_id,
          uncollected
        ]),
        [
          ["credit", 100_0000, "credit_topup", null, null, null],
          ["hold", 10_0000, "payment_fee_hold", null, "trace-hold", null],
          ["hold", 5_0000, "payment_fee_hold", null, "trace-hold", null],
          ["debit", 10_0000, "usage", "payment.completion", "trace-hold", 0],
          ["release", 5_0000, "payment_fee_hold", null, "trace-hold", null]
        ]
      )
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect("a hold ends once, and a repeated call has no second effect (gaps-3 D Invariants)", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(20_0000)
      const id = yield* mint("rsv")
      yield* Effect.all([hold(account, 3_0000, id), hold(account, 3_0000, id)], { concurrency: "unbounded" })
      yield* fence(account.id)
      assert.strictEqual((yield* inTime(hold(account, 3_0000, id))).state, "open")
      assert.deepStrictEqual(
        yield* inTime(
          Effect.all([settle(account, id), release(account, id), settle(account, id)], { concurrency: "unbounded" })
        ),
        ["settled", "settled", "settled"]
      )
      yield* fence(account.id)
      assert.strictEqual(yield* inTime(release(account, id)), "settled")
      assert.strictEqual(yield* inTime(release(account, yield* mint("rsv"))), "unknown")
      assert.deepStrictEqual(yield* walletOf(account), { balance: 17_0000, held: 0, blocked: false })
    })
  )

  it.effect("a positive balance may still be too low for a hold C-BAL-13", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(1_0000)
      assert.deepStrictEqual(yield* walletOf(account), { balance: 1_0000, held: 0, blocked: false })
      assert.strictEqual(yield* outcome(hold(account, 49_9000)), "insufficient_balance")
      assert.deepStrictEqual(yield* walletOf(account), { balance: 1_0000, held: 0, blocked: false })
    })
  )

  it.effect(
    "no hold takes the balance below zero, however many are asked for at once C-ERR-09 (gaps-3 D Invariants)",
    () =>
      Effect.gen(function* () {
        const account = yield* seedFunds(10_0000)
        const asked = Array.from({ length: 30 }, () => outcome(hold(account, 1_0000)))
        const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
        assert.strictEqual(answers.filter((answer) => answer === "insufficient_balance").length, 20)
        assert.deepStrictEqual(yield* walletOf(account), { balance: 0, held: 10_0000, blocked: true })
      })
  )

  it.effect(
    "usage is one debit for each record at the price of its instant, and may overdraw C-LED-02 C-LED-05 (gaps-3 D)",
    () =>
      Effect.gen(function* () {
        const account = yield* seedFunds(1000)
        const ids = [
          yield* use(account, "message.transport.utility"),
          yield* use(account, "message.transport.marketing"),
          yield* use(account, "message.transport.service")
        ]
        // The first at once, what comes on its heels together.
        yield* turnBy(200)
        yield* quiesce
        const debits = (yield* entriesOf(account)).filter(({ type }) => type === "debit")
        assert.deepStrictEqual(
          debits.map(({ amount, source_id, uncollected }) => [source_id, amount, uncollected]),
          [
            [ids[0] ?? "", 500, 0],
            [ids[1] ?? "", 800, 300],
            [ids[2] ?? "", 300, 300]
          ]
        )
        assert.deepStrictEqual(yield* walletOf(account), { balance: -600, held: 0, blocked: true })
        const sql = yield* SqlClient.SqlClient
        const [spent] = yield* sql<{ readonly spent: number }>`select spent from project_spending
        where project_id = ${account.project_id} and month = '2026-01'`
        assert.strictEqual(spent?.spent, 1600)
      })
  )

  it.effect("usage of many accounts in one commit is charged to each account alone (gaps-3 D Usage posting)", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, n) => n),
        (n) => seedFunds(1_0000 + n)
      )
      yield* useAll(
        accounts.flatMap((account, n) =>
          Array.from({ length: n % 4 }, () => ({ account, meter_id: "message.transport.utility" }))
        )
      )
      yield* turnBy(10)
      yield* quiesce
      for (const [n, account] of accounts.entries()) {
        assert.strictEqual((yield* walletOf(account)).balance, 1_0000 + n - 500 * (n % 4))
      }
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect("the plan of its instant lowers the price of a message C-PLAN-09 (gaps-3 E net_transport_rate_brl)", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(10_0000)
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into account_plans (account_id, effective_from, plan_offering_id) values
        (${account.id}, '2025-12-01T00:00:00Z', 'plo_growth'), (${account.id}, '2026-02-01T00:00:00Z', null)`
      yield* use(account, "message.transport.utility")
      yield* turnBy(10)
      const [, debit] = yield* entriesOf(account)
      assert.strictEqual(debit?.amount, 325)
    })
  )

  it.effect("the credit block ends above zero, not at zero C-BAL-12", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(1_0000)
      yield* correct(account.id, "debit", 3_0000)
      assert.isTrue((yield* walletOf(account)).blocked)
      yield* correct(account.id, "credit", 2_0000)
      assert.deepStrictEqual(yield* walletOf(account), { balance: 0, held: 0, blocked: true })
      yield* correct(account.id, "credit", 1)
      assert.isFalse((yield* walletOf(account)).blocked)
    })
  )

  it.effect("entries are never changed or removed C-LED-17", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(1_0000)
      const sql = yield* SqlClient.SqlClient
      const refused = (statement: Effect.Effect<unknown, unknown>) =>
        Effect.match(statement, { onFailure: () => true, onSuccess: () => false })
      assert.isTrue(yield* refused(sql`update ledger_entries set amount = 2 where account_id = ${account.id}`))
      assert.isTrue(yield* refused(sql`delete from ledger_entries where account_id = ${account.id}`))
    })
  )

  it.effect("the account of a sandbox moves no wallet of its organization C-BAL-09 C-LED-20", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(7_0000)
      const sandbox: Funded = { ...account, id: account.tenant.sandbox.id }
      const { id } = yield* hold(sandbox, 3_0000)
      yield* settle(sandbox, id)
      assert.deepStrictEqual(yield* walletOf(account), { balance: 7_0000, held: 0, blocked: false })
      assert.deepStrictEqual(
        (yield* entriesOf(sandbox)).map(({ environment, type, uncollected }) => [environment, type, uncollected]),
        [
          ["sandbox", "hold", null],
          ["sandbox", "debit", null]
        ]
      )
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  const step = fc.oneof(
    fc.record({ do: fc.constant("hold" as const), amount: fc.integer({ min: 0, max: 5_0000 }) }),
    fc.record({ do: fc.constantFrom("settle" as const, "release" as const), of: fc.nat(20) }),
    fc.record({ do: fc.constant("use" as const) }),
    fc.record({
      do: fc.constantFrom("credit" as const, "debit" as const),
      amount: fc.integer({ min: 1, max: 3_0000 })
    }),
    fc.record({ do: fc.constant("fence" as const) })
  )

  it.effect(
    "every interleaving with nodes that lose their shard keeps the invariants and matches a plain sum (gaps-3 D Invariants)",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof play>>>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), (rounds) =>
              Effect.runPromiseWith(context)(play(rounds))
            ),
            { numRuns: 12 }
          )
        )
      }),
    240_000
  )

  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  /** Plays rounds of concurrent steps and compares the wallet with what was answered. */
  const play = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<Step>>) {
    const account = yield* seedFunds(5_0000)
    const open: Array<{ readonly id: string; readonly amount: number }> = []
    const ended = new Map<string, string>()
    let expected = 5_0000
    let held = 0
    for (const round of rounds) {
      const played = Effect.forEach(
        round,
        (one) =>
          Effect.gen(function* () {
            switch (one.do) {
              case "hold": {
                const placed = yield* Effect.match(hold(account, one.amount), {
                  onFailure: () => undefined,
                  onSuccess: ({ id }) => id
                })
                if (placed === undefined) return
                open.push({ id: placed, amount: one.amount })
                expected -= one.amount
                held += one.amount
                return
              }
              case "settle":
              case "release": {
                const reservation = open[one.of]
                if (reservation === undefined) return
                const state = yield* one.do === "settle"
                  ? settle(account, reservation.id)
                  : release(account, reservation.id)
                const before = ended.get(reservation.id)
                if (before !== undefined) return assert.strictEqual(state, before)
                ended.set(reservation.id, state)
                held -= reservation.amount
                if (state === "released") expected += reservation.amount
                return
              }
              case "use":
                yield* use(account, "message.transport.utility")
                expected -= 500
                return
              case "credit":
              case "debit":
                yield* askFor(account.id, one.do, one.amount)
                expected += one.do === "credit" ? one.amount : -one.amount
                return
              case "fence":
                return yield* fence(account.id)
            }
          }),
        { concurrency: "unbounded", discard: true }
      )
      yield* inTime(played)
      yield* turnBy(1500)
    }
    yield* turnBy(3000)
    const { balance, held: holding } = yield* walletOf(account)
    assert.deepStrictEqual([balance, holding], [expected, held])
    assert.deepStrictEqual(yield* violations, [])
  })
})
