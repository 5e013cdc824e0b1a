import { blockOf, type Lease, usableQuota } from "@carteiro/runtime/messages/pacing/Lease.ts"
import {
  decideRequests,
  grantLease,
  heldOf,
  type LeasedNumber
} from "@carteiro/runtime/messages/pacing/PortfolioRules.ts"
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
  request: null,
  ...changes
})

const request = (needed: number, wanted: number, allowance = 45) => ({ needed, wanted, allowance, requested_at: now })

const number = fc.record({
  quota: fc.nat(120),
  live: fc.nat(120),
  short_at: fc.option(fc.integer({ min: now - 5 * minute, max: now })),
  recalled_at: fc.option(fc.integer({ min: now - 5 * minute, max: now })),
  cap: fc.option(fc.nat(60)),
  is_member: fc.boolean(),
  left_at: fc.option(fc.integer({ min: now - 3 * day, max: now })),
  request: fc.option(
    fc.record({
      needed: fc.nat(150),
      wanted: fc.nat(200),
      allowance: fc.integer({ min: 1, max: 200 }),
      requested_at: fc.integer({ min: now - 3 * minute, max: now })
    })
  )
})

describe("leases of a portfolio", () => {
  it("never lease more than the allowance, nor take what a number has U-LIM-01", () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        (facts, limit) => {
          const numbers = facts.map((one, n) => lease(`pn_${n}`, one))
          const decision = decideRequests(numbers, limit, now)
          const quotaOf = (id: string) => decision.requests.find((one) => one.number.business_id === id)?.grant.quota
          const held = (of: ReadonlyArray<LeasedNumber>) => of.reduce((sum, one) => sum + heldOf(one, now), 0)
          const after = numbers.map((one) => ({ ...one, quota: quotaOf(one.business_id) ?? one.quota }))
          assert.isAtMost(held(after), Math.max(limit, held(numbers)))
          for (const [n, one] of after.entries()) assert.isAtLeast(one.quota, numbers[n]?.quota ?? 0)
          for (const { allowance, due_at, grant } of decision.requests) {
            if (allowance !== null) assert.isAtMost(held(numbers), Math.max(limit, allowance))
            assert.strictEqual(due_at !== null, grant.is_short)
          }
          const changed = [...decision.requests, ...decision.recalls].map((one) => one.number.business_id)
          assert.strictEqual(new Set(changed).size, changed.length)
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("give a number its block, and the rest of the allowance to the next one U-LIM-01", () => {
    const first = grantLease(lease("a"), { needed: 1, wanted: 1 + blockOf(45) }, [], 45, now)
    assert.deepInclude(first, { quota: 11, is_confirmed: true, is_short: false, recalls: [] })
    const second = grantLease(lease("b"), { needed: 40, wanted: 50 }, [lease("a", { quota: 11 })], 45, now)
    // It needs more than is free: the first number is asked for what it does not use.
    assert.deepInclude(second, { quota: 34, is_short: true })
    assert.deepStrictEqual(
      second.recalls.map((recall) => [recall.number.business_id, recall.cap]),
      [["a", 34]]
    )
  })

  it("are shared equally while a number waits: one that has more opens nothing until its slots have ended U-LIM-01", () => {
    const full = lease("a", { quota: 45, live: 45 })
    const waits = lease("b", { short_at: now - minute })
    const granted = grantLease(waits, { needed: 5, wanted: 15 }, [full], 45, now)
    assert.deepStrictEqual([granted.quota, granted.is_short], [0, true])
    assert.deepStrictEqual(
      granted.recalls.map(({ cap }) => cap),
      [23]
    )
    const greedy: Lease = { portfolio_id: "p", quota: 45, allowance: 45, limit_revision: 0, cap: 23, short_at: null }
    const of = (live: number) => usableQuota(greedy, { portfolio_id: "p", allowance: 45, limit_revision: 0 }, live)
    assert.deepStrictEqual([of(45), of(40), of(23), of(10)], [45, 40, 23, 23])
    // The one above its share gets no more while the other waits.
    const again = grantLease({ ...full, live: 40 }, { needed: 41, wanted: 51 }, [waits], 45, now)
    assert.deepStrictEqual([again.cap, again.is_short], [23, true])
  })

  it("allow nothing under another limit until all quotas fit in it U-LIM-01", () => {
    const stale: Lease = { portfolio_id: "p", quota: 40, allowance: 225, limit_revision: 1, cap: null, short_at: null }
    const present = { portfolio_id: "p", allowance: 225, limit_revision: 1 }
    assert.strictEqual(usableQuota(stale, { ...present, allowance: 45 }, 7), 7)
    assert.strictEqual(usableQuota(stale, { ...present, limit_revision: 3 }, 7), 7)
    assert.strictEqual(usableQuota(stale, { ...present, portfolio_id: "q" }, 7), 7)
    assert.strictEqual(usableQuota(stale, present, 7), 40)
    const a = lease("a", { quota: 40, live: 7, request: request(8, 18) })
    const lowered = decideRequests([a, lease("b", { quota: 100, live: 3 })], 45, now)
    assert.deepInclude(lowered.requests[0], { allowance: null, is_recalled: true, due_at: now + 5000 })
    assert.deepStrictEqual(
      lowered.recalls.map((recall) => recall.number.business_id),
      ["b"]
    )
    const fits = decideRequests([{ ...a, quota: 7 }, lease("b", { quota: 3, live: 3 })], 45, now)
    assert.deepInclude(fits.requests[0], { allowance: 45, due_at: null })
    assert.deepInclude(fits.requests[0]?.grant, { quota: 18, is_short: false })
  })

  it("count a number that left until its slots have ended, a day after, and its owner has returned all U-LIM-01", () => {
    const left = lease("a", { is_member: false, quota: 30, live: 20, left_at: now - day })
    assert.strictEqual(heldOf(left, now), 30)
    // It may come back and go on with what it has.
    assert.strictEqual(heldOf(left, now + minute), 30)
    const waits = lease("b", { request: { ...request(40, 45), requested_at: now + minute } })
    const [recall] = decideRequests([left, waits], 45, now + minute).recalls
    assert.strictEqual(recall?.number.business_id, "a")
    assert.strictEqual(heldOf({ ...left, quota: 0 }, now), 20)
    assert.strictEqual(heldOf({ ...left, quota: 0 }, now + minute), 0)
    assert.strictEqual(heldOf({ ...left, environment_id: null }, now + minute), 0)
    assert.strictEqual(heldOf({ ...left, left_at: null }, now + 9 * day), 30)
  })

  it("let a request lapse that its number no longer repeats U-LIM-01", () => {
    const old = { ...request(40, 45), requested_at: now - 2 * minute }
    const waits = lease("a", { quota: 5, short_at: now - minute, request: old })
    const [decided] = decideRequests([waits, lease("b", { quota: 40, live: 40 })], 45, now).requests
    assert.deepInclude(decided, { due_at: null, allowance: null, is_recalled: false })
    assert.deepInclude(decided?.grant, { quota: 5, is_short: false })
  })
})

type Step = (model: PortfolioModel) => void

const nth = fc.nat(2)
const on = (weight: number, of: fc.Arbitrary<number>, act: (model: PortfolioModel, n: number) => void) => ({
  weight,
  arbitrary: of.map(
    (n): Step =>
      (model) =>
        act(model, n)
  )
})
const either = fc.nat(1)
const counted = fc.tuple(nth, fc.nat(25))
const written = fc.tuple(nth, fc.boolean())
const limits = fc.tuple(either, fc.constantFrom("tier_50", "tier_250"))

/** Whole passes, so that schedules fill the allowance, and single steps between which anything may happen. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: counted.map(
      (of): Step =>
        (model) =>
          model.send(...of)
    )
  },
  on(8, nth, (model, n) => model.release(n)),
  on(8, either, (model, n) => model.decide(n)),
  {
    weight: 6,
    arbitrary: counted.map(
      (of): Step =>
        (model) =>
          model.beginSend(...of)
    )
  },
  on(5, nth, (model, n) => model.beginRelease(n)),
  on(14, nth, (model, n) => model.step(n)),
  on(8, either, (model, n) => model.stepPortfolio(n)),
  {
    weight: 1,
    arbitrary: written.map(
      (of): Step =>
        (model) =>
          model.die(...of)
    )
  },
  {
    weight: 1,
    arbitrary: written.map(
      (of): Step =>
        (model) =>
          model.diePortfolio(...of)
    )
  },
  on(1, nth, (model, n) => model.refuse(n)),
  {
    weight: 1,
    arbitrary: limits.map(
      (of): Step =>
        (model) =>
          model.report(...of)
    )
  },
  on(1, nth, (model, n) => model.move(n)),
  on(3, fc.constantFrom(1, 1000, 6000, minute, day / 3, day), (model, millis) => {
    model.now += millis
  })
)

it("numbers that lose commits and nodes, move, and learn of another limit at any step never exceed their portfolio's allowance U-LIM-01", () => {
  const total = { opened: 0, returned: 0, short: 0, recalled: 0 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 40, maxLength: 200, size: "max" }), (steps) => {
      const model = new PortfolioModel(3)
      for (const one of steps) {
        one(model)
        model.judge()
      }
      for (const name of ["opened", "returned", "short", "recalled"] as const) total[name] += model[name]
      // Once everything has ended and each number works on, nothing waits that the allowance has room for.
      model.settle(1)
      model.now += 3 * day
      model.settle(8)
      for (const portfolio of ["p", "q"]) {
        if (model.waiting(portfolio) === 0) continue
        assert.strictEqual(model.live(portfolio), model.allowanceOf(portfolio), "a slot that no number may use")
      }
    }),
    { numRuns: 150 }
  )
  for (const [name, sum] of Object.entries(total)) assert.isAbove(sum, 0, `${name}: schedules that prove nothing`)
})
