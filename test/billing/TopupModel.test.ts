import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Api } from "../support/ApiTest.ts"
import { Cardproc } from "../support/Cardproc.ts"
import { fence, reclaim, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { askFor, hold, inTime, violations, walletOf } from "./Accounts.ts"
import { buy, cardProduct, passDue, saveCard } from "./CardStage.ts"

const start = 100_0000
const threshold = 50_0000
const minute = 60_000
/** Answers to charges that are lost, before the processor has them, after, and long before it does; look-ups that lag. */
const lost = [
  { name: "reset", operation: "charge" },
  { name: "reset_after", operation: "charge" },
  { name: "error_500", operation: "charge" },
  { name: "error_500_after", operation: "charge" },
  { name: "lands_late", operation: "charge", value: 30 * minute },
  { name: "lands_late", operation: "charge", value: 200 * minute },
  { name: "lagging_lookup", operation: "charge_lookup", value: 20 * minute }
] as const

const step = fc.oneof(
  fc.record({ do: fc.constantFrom("debit" as const, "hold" as const), amount: fc.integer({ min: 1, max: 60_0000 }) }),
  fc.record({ do: fc.constant("credit" as const), amount: fc.integer({ min: 1, max: 30_0000 }) }),
  fc.record({ do: fc.constant("buy" as const), key: fc.nat(2) }),
  fc.record({
    do: fc.constant("lose" as const),
    fault: fc.constantFrom(...lost),
    times: fc.integer({ min: 1, max: 2 })
  }),
  fc.record({ do: fc.constant("fence" as const) })
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

it.layer(cardProduct, { excludeTestServices: true })("Top-ups in any interleaving", (it) => {
  it.effect(
    "each charge is one credit and each crossing at most one run, while nodes lose their shard and answers are lost C-ATOP-06 C-PKG-14",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof play>>>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
              (rounds) => Effect.runPromiseWith(context)(play(rounds))
            ),
            { numRuns: 5 }
          )
        )
      }),
    240_000
  )
})

/** Plays rounds of concurrent steps, then compares the wallet, the top-ups and the processor's own charges. */
const play = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<Step>>) {
  const { call } = yield* Api
  const { charges, faults } = yield* Cardproc
  const tenant = yield* seedTenant(`model-${charges.list.length}`, start)
  const { key } = tenant.production
  const account = {
    id: tenant.organization_id,
    project_id: tenant.project.id,
    environment_id: tenant.production.id,
    tenant
  }
  faults.set([], 1)
  yield* saveCard(key, "pm_card_ok")
  yield* call("PUT", "/v1/billing/auto-topup", { enabled: true, threshold_brl: "50", amount_brl: "200" }, { key })
  let expected = start
  const bought = new Set<string>()
  for (const round of rounds) {
    const played = Effect.forEach(
      round,
      (one) =>
        Effect.gen(function* () {
          switch (one.do) {
            case "hold":
              yield* Effect.match(hold(account, one.amount), {
                onFailure: () => {},
                onSuccess: () => {
                  expected -= one.amount
                }
              })
              return
            case "debit":
            case "credit":
              yield* askFor(account.id, one.do, one.amount)
              expected += one.do === "credit" ? one.amount : -one.amount
              return
            case "buy": {
              const { body, status } = yield* buy(key, {}, { idempotencyKey: `buy ${one.key}` })
              if (status === 201) bought.add(body.id)
              return
            }
            case "lose":
              return yield* Effect.sync(() => {
                faults.set([{ ...one.fault, times: one.times }], 1)
              })
            case "fence":
              return yield* fence(account.id)
          }
        }),
      { concurrency: "unbounded", discard: true }
    )
    yield* inTime(played)
    yield* turnBy(1500)
  }
  faults.set([], 1)
  // The next account may live on this shard: whoever commits to a lost one waits for a clock that nobody turns then.
  yield* reclaim(account.id)
  // A charge reserved by an owner that lost its shard is looked at after a minute, and one in doubt until it is certain.
  yield* passDue(account.id, 300 * minute)
  const sql = yield* SqlClient.SqlClient
  const topups = yield* sql<{
    readonly id: string
    readonly status: string
    readonly amount: number
    readonly kind: string
  }>`
    select id, status, amount, kind from credit_topups where account_id = ${account.id} and provider = 'cardproc' order by id`
  const atProcessor = charges.list.filter(({ customer }) => customer === `cus_${account.id}`)
  assert.deepStrictEqual(
    topups.map(({ amount, id, status }) => [id, status, amount]),
    atProcessor
      .map(({ amount_centavos, external_id }) => [external_id, "succeeded", amount_centavos * 100] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map((row) => [...row])
  )
  for (const id of bought) assert.isTrue(topups.some((topup) => topup.id === id))
  const packages = topups.filter(({ kind }) => kind === "package").length
  assert.isAtMost(packages, 3, "one purchase a key")
  const credits = yield* sql<{ readonly source_id: string; readonly amount: number }>`select source_id, amount
    from ledger_entries where account_id = ${account.id} and type = 'credit' and from_account = 'funding:card'`
  assert.deepStrictEqual(
    credits.map(({ amount, source_id }) => [source_id, amount]).sort(),
    topups.map(({ amount, id }) => [id, amount]).sort()
  )
  const charged = topups.reduce((sum, { amount }) => sum + amount, 0)
  assert.strictEqual((yield* walletOf(account)).balance, expected + charged)
  assert.deepStrictEqual(yield* violations, [])
  const runs = topups.length - packages
  const crossings = yield* crossingsOf(account.id)
  assert.isAtMost(runs, crossings)
  assert.strictEqual(runs > 0, crossings > 0)
})

/** How often the entries of an account, in the order they were written in, took it to the threshold or below. */
const crossingsOf = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient
  const entries = yield* Effect.orDie(sql<{ readonly delta: number }>`select
      (case when to_account = 'available' then amount else -amount end)::int8 as delta
    from ledger_entries where account_id = ${accountId} and 'available' in (from_account, to_account)
    order by xmin::text::int8, ctid`)
  let balance = 0
  let crossings = 0
  for (const { delta } of entries) {
    if (balance > threshold && balance + delta <= threshold) crossings++
    balance += delta
  }
  return crossings
})
