import { dailyBalances, monthNamed, monthsBetween } from "@carteiro/runtime/billing/statements/Statement.ts"
import { type PlanCost, planCosts } from "@carteiro/runtime/billing/subscription/PlanCost.ts"
import { noSubscription } from "@carteiro/runtime/billing/subscription/Subscription.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const january = monthNamed("2026-01")
const day = 86_400_000

describe("Statements", () => {
  it("a month is named by its year and number, and ends where the next begins", () => {
    assert.deepStrictEqual(january, { name: "2026-01", from: Date.UTC(2026, 0), until: Date.UTC(2026, 1) })
    assert.strictEqual(monthNamed("2026-12")?.until, Date.UTC(2027, 0))
    for (const text of ["2026-00", "2026-13", "26-01", "2026-1", "", "x"]) assert.isUndefined(monthNamed(text))
  })

  it("lists the months since an instant newest first, at most a year of them", () => {
    const now = Date.UTC(2026, 2, 15)
    assert.deepStrictEqual(
      monthsBetween(Date.UTC(2026, 0, 31), now).map(({ name }) => name),
      ["2026-03", "2026-02", "2026-01"]
    )
    assert.strictEqual(monthsBetween(0, now).length, 12)
    assert.deepStrictEqual(
      monthsBetween(now, now).map(({ name }) => name),
      ["2026-03"]
    )
  })

  it("the last day's balance is the opening balance plus all movements (gaps-3 D Invariants)", () => {
    if (january === undefined) return assert.fail("no month")
    const movement = fc.record({ day: fc.integer({ min: 1, max: 31 }), delta: fc.integer({ min: -1e9, max: 1e9 }) })
    fc.assert(
      fc.property(fc.integer(), fc.uniqueArray(movement, { selector: (one) => one.day }), (opening, moved) => {
        const days = moved.map(({ day, delta }) => ({ day: `2026-01-${String(day).padStart(2, "0")}`, delta }))
        const balances = dailyBalances(opening, days, january, january.until)
        assert.strictEqual(balances.length, 31)
        assert.strictEqual(
          balances.at(-1)?.balance,
          moved.reduce((sum, { delta }) => sum + delta, opening)
        )
      })
    )
    assert.strictEqual(dailyBalances(0, [], january, january.from + 2 * day).length, 3)
  })
})

describe("What a plan would cost now (gaps-3 E Change details)", () => {
  const plan = (id: string, monthly_fee: number) => ({
    id,
    code: id,
    display_name: id,
    monthly_fee,
    annual_fee: monthly_fee * 10,
    throughput_tier: "growth" as const,
    max_phones: null,
    multiplier: 10_000,
    numprov_byok_enabled: false
  })
  const plans = new Map(
    [plan("low", 100_0000), plan("mid", 200_0000), plan("high", 400_0000)].map((one) => [one.id, one])
  )
  const told = (costs: ReadonlyArray<PlanCost>) => costs.map(({ amount, plan, when }) => [plan.id, when, amount])

  it("a first subscription pays the whole fee C-PLAN-13", () => {
    assert.deepStrictEqual(told(planCosts(noSubscription, plans, 0)), [
      ["low", "now", 100_0000],
      ["mid", "now", 200_0000],
      ["high", "now", 400_0000]
    ])
  })

  it("an upgrade pays the difference for the rest of the period; a downgrade pays nothing before the renewal C-PLAN-17", () => {
    const start = Date.UTC(2026, 0, 1)
    const subscription = {
      ...noSubscription,
      status: "active" as const,
      plan_offering_id: "mid",
      billing_rail: "cardproc_card" as const,
      anchor_at: start,
      periods: 1,
      current_period_start: start,
      current_period_end: start + 30 * day
    }
    assert.deepStrictEqual(told(planCosts(subscription, plans, start + 15 * day)), [
      ["low", "renewal", 0],
      ["mid", "current", 0],
      ["high", "now", 100_0000]
    ])
    const unpaid = { ...subscription, status: "past_due" as const, past_due_since: start }
    assert.deepStrictEqual(
      planCosts(unpaid, plans, start).map(({ when }) => when),
      ["refused", "current", "refused"]
    )
  })
})
