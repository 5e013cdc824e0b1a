import { blockOf, usableQuota } from "@carteiro/runtime/messages/pacing/Lease.ts"
import { grantLease, heldOf, type LeasedNumber } from "@carteiro/runtime/messages/pacing/PortfolioRules.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { PortfolioModel } from "./PortfolioModel.ts"

const minute = 60_000
const day = 86_400_000
const now = 10 * day

const lease = (business_id: string, changes: Partial<LeasedNumber> = {}): LeasedNumber => ({
  business_id,
  environment_id: "env",
  is_member: true,
  quota: 0,
  cap: null,
  short_at: null,
  recalled_at: null,
  left_at: null,
  live: 0,
  ...changes
})

const number = fc.record({
  quota: fc.nat(120),
  live: fc.nat(120),
  short_at: fc.option(fc.integer({ min: now - 5 * minute, max: now })),
  recalled_at: fc.option(fc.integer({ min: now - 5 * minute, max: now })),
  cap: fc.option(fc.nat(60)),
  is_member: fc.boolean(),
  left_at: fc.option(fc.integer({ min: now - 3 * day, max: now }))
})

describe("leases of a portfolio", () => {
  it("never lease more than the allowance, nor take what a number has U-LIM-01", () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 6 }),
        fc.record({
          used: fc.nat(120),
          more: fc.nat(60),
          block: fc.nat(60),
          allowance: fc.integer({ min: 1, max: 200 })
        }),
        (facts, { allowance, block, more, used }) => {
          const numbers = facts.map((one, n) => lease(`pn_${n}`, n === 0 ? { ...one, is_member: true } : one))
          const [own] = numbers as [LeasedNumber]
          const needed = used + more
          const grant = grantLease(
            { business_id: "pn_0", used, needed, wanted: needed + block },
            numbers,
            allowance,
            now
          )
          const others = numbers.slice(1).reduce((sum, other) => sum + heldOf(other, now), 0)
          const had = Math.max(own.quota, own.live, used)
          assert.isAtLeast(grant.quota, had)
          assert.isAtMost(grant.quota + others, Math.max(allowance, had + others))
          assert.strictEqual(grant.is_confirmed, had + others <= allowance)
          if (grant.is_short) assert.isNotNull(grant.retry_ms)
          for (const { number: other } of grant.recalls) assert.notStrictEqual(other.business_id, "pn_0")
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("give a number its block, and the rest of the allowance to the next one U-LIM-01", () => {
    const first = grantLease({ business_id: "a", used: 0, needed: 1, wanted: 1 + blockOf(45) }, [], 45, now)
    assert.deepInclude(first, { quota: 11, is_confirmed: true, is_short: false, retry_ms: null, recalls: [] })
    const second = grantLease(
      { business_id: "b", used: 0, needed: 40, wanted: 50 },
      [lease("a", { quota: 11 })],
      45,
      now
    )
    // It needs more than is free: the first number is asked for what it does not use.
    assert.deepInclude(second, { quota: 34, is_short: true, retry_ms: 1000 })
    assert.deepStrictEqual(
      second.recalls.map((recall) => [recall.number.business_id, recall.cap]),
      [["a", 22]]
    )
  })

  it("are shared equally while somebody waits: who has more opens nothing until its slots have ended U-LIM-01", () => {
    const numbers = [lease("a", { quota: 45, live: 45 }), lease("b", { short_at: now - minute })]
    const asked = grantLease({ business_id: "b", used: 0, needed: 5, wanted: 15 }, numbers, 45, now)
    assert.deepStrictEqual([asked.quota, asked.is_short], [0, true])
    assert.deepStrictEqual(
      asked.recalls.map(({ cap }) => cap),
      [22]
    )
    const greedy = { portfolio_id: "p", quota: 45, allowance: 45, cap: 22, ask_again_at: 0 }
    const of = (used: number) => usableQuota(greedy, { portfolio_id: "p", allowance: 45 }, used)
    assert.deepStrictEqual([of(45), of(40), of(22), of(10)], [45, 40, 22, 22])
    // The one above its share gets no more while the other waits.
    const again = grantLease({ business_id: "a", used: 40, needed: 41, wanted: 51 }, numbers, 45, now)
    assert.deepStrictEqual([again.cap, again.is_short], [22, true])
  })

  it("allow nothing under a smaller allowance until all quotas fit in it U-LIM-01", () => {
    const stale = { portfolio_id: "p", quota: 40, allowance: 225, cap: null, ask_again_at: 0 }
    assert.strictEqual(usableQuota(stale, { portfolio_id: "p", allowance: 45 }, 7), 7)
    assert.strictEqual(usableQuota(stale, { portfolio_id: "q", allowance: 225 }, 7), 7)
    assert.strictEqual(usableQuota(stale, { portfolio_id: "p", allowance: 225 }, 7), 40)
    const numbers = [lease("a", { quota: 40, live: 7 }), lease("b", { quota: 100, live: 3 })]
    const lowered = grantLease({ business_id: "a", used: 7, needed: 8, wanted: 18 }, numbers, 45, now)
    assert.deepInclude(lowered, { quota: 40, is_confirmed: false, is_recalled: true, is_short: true, retry_ms: 1000 })
    const returned = [lease("a", { quota: 7, live: 7 }), lease("b", { quota: 3, live: 3 })]
    const fits = grantLease({ business_id: "a", used: 7, needed: 8, wanted: 18 }, returned, 45, now)
    assert.deepInclude(fits, { quota: 18, is_confirmed: true, is_short: false })
  })

  it("of a number that left count until its slots have ended, a day after U-LIM-01", () => {
    const left = lease("a", { is_member: false, quota: 30, live: 20, left_at: now - day })
    assert.strictEqual(heldOf(left, now), 30)
    assert.strictEqual(heldOf(left, now + minute), 0)
    assert.strictEqual(heldOf({ ...left, left_at: null }, now + 9 * day), 30)
  })
})

type Step =
  | { readonly kind: "ask" | "open"; readonly nth: number; readonly count: number }
  | { readonly kind: "giveBack" | "die"; readonly nth: number }
  | { readonly kind: "question" | "answer" | "commit"; readonly nth: number; readonly isLost: boolean }
  | { readonly kind: "late" }
  | { readonly kind: "tier"; readonly tier: "tier_50" | "tier_250" }
  | { readonly kind: "pass"; readonly millis: number }

const nth = fc.nat(2)
const happening = (kind: "question" | "answer" | "commit") =>
  fc.record({
    kind: fc.constant(kind),
    nth: fc.nat(5),
    isLost: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
  })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("ask" as const), nth, count: fc.integer({ min: 1, max: 20 }) })
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("open" as const), nth, count: fc.integer({ min: 1, max: 12 }) })
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("giveBack" as const), nth }) },
  { weight: 5, arbitrary: happening("question") },
  { weight: 5, arbitrary: happening("answer") },
  { weight: 7, arbitrary: happening("commit") },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("die" as const), nth }) },
  { weight: 1, arbitrary: fc.constant({ kind: "late" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("tier" as const),
      tier: fc.constantFrom("tier_50" as const, "tier_250" as const)
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), millis: fc.constantFrom(1, 1000, minute, day / 3, day) })
  }
)

it("numbers that lose answers, commits and nodes at any step never exceed their portfolio's allowance U-LIM-01", async () => {
  const total = { opened: 0, returned: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120, size: "max" }), async (steps) => {
      const model = new PortfolioModel(3)
      const former: Array<() => void> = []
      for (const one of steps) {
        switch (one.kind) {
          case "ask":
            model.ask(one.nth, one.count)
            break
          case "open":
            model.open(one.nth, one.count)
            break
          case "giveBack":
            model.giveBack(one.nth)
            break
          case "die": {
            const dead = model.numberOf(one.nth)
            const life = model.endLife(one.nth)
            former.push(() => model.askLate(life, dead))
            break
          }
          case "late":
            former.at(-1)?.()
            break
          case "tier":
            model.tier = one.tier
            break
          case "pass":
            model.now += one.millis
            break
          default:
            await model.happen(one.kind, one.nth, one.isLost)
        }
        model.judge()
      }
      await model.settle()
      await model.close()
      for (const name of ["opened", "returned", "refused"] as const) total[name] += model[name]
    }),
    { numRuns: 150 }
  )
  for (const [name, sum] of Object.entries(total)) assert.isAbove(sum, 0, `${name}: schedules that prove nothing`)
})
