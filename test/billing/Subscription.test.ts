import { paid, unpaid } from "@carteiro/runtime/billing/subscription/Payment.ts"
import { periodEnd } from "@carteiro/runtime/billing/subscription/Period.ts"
import {
  cancel,
  change,
  type Offering,
  type PlanContext,
  subscribe
} from "@carteiro/runtime/billing/subscription/PlanChange.ts"
import { proration } from "@carteiro/runtime/billing/subscription/Proration.ts"
import {
  type Invoice,
  type InvoiceDraft,
  noSubscription,
  type Subscription,
  type Transition
} from "@carteiro/runtime/billing/subscription/Subscription.ts"
import { elapse, retryWithCard } from "@carteiro/runtime/billing/subscription/SubscriptionClock.ts"
import { addMonths } from "@carteiro/spellings/Months.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const at = (text: string): number => Date.parse(text)
const day = 86_400_000

const plans: ReadonlyMap<string, Offering> = new Map(
  [
    { id: "plo_starter", monthly_fee: 49_0000, annual_fee: 490_0000, max_phones: 2 },
    { id: "plo_standard", monthly_fee: 149_0000, annual_fee: 1490_0000, max_phones: 5 },
    { id: "plo_growth", monthly_fee: 499_0000, annual_fee: 4990_0000, max_phones: 20 },
    { id: "plo_scale", monthly_fee: 1499_0000, annual_fee: 14990_0000, max_phones: null }
  ].map((plan) => [plan.id, plan])
)
const context = (over: Partial<PlanContext> = {}): PlanContext => ({
  plans,
  open: undefined,
  phones: 0,
  hasCard: true,
  now: at("2026-01-31T10:00:00Z"),
  ...over
})
const invoiceOf = (draft: InvoiceDraft | undefined, created_at = 0): Invoice => {
  assert.isDefined(draft)
  return { ...draft, id: "inv_1", status: "open", created_at, ended_at: null, is_credited: false }
}
/** The transition, where no refusal is expected. */
const allowed = (wished: ReturnType<typeof change>): Transition => {
  if ("refusal" in wished) throw new Error(wished.refusal._tag)
  return wished
}
const refusalOf = (wished: object): string | undefined =>
  "refusal" in wished ? (wished.refusal as { readonly _tag: string })._tag : undefined

/** A subscription that was paid for the first time at an instant. */
const subscribed = (rail: "cardproc_card" | "pix_annual", plan = "plo_standard", from = "2026-01-31T10:00:00Z") => {
  const asked = subscribe(noSubscription, { plan_offering_id: plan, rail }, context({ now: at(from) }))
  if ("refusal" in asked) throw new Error(asked.refusal._tag)
  return paid(noSubscription, invoiceOf(asked.draft), at(from)).subscription
}

const instants = fc.integer({ min: at("2000-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") })

describe("Periods of a subscription", () => {
  it("periods clamp the day to the month and return to it, leap years included (gaps-3 E Subscription states)", () => {
    const ends = (rail: "cardproc_card" | "pix_annual", from: string, count: number) =>
      Array.from({ length: count }, (_, n) => new Date(periodEnd(rail, at(from), n + 1)).toISOString().slice(0, 16))
    assert.deepStrictEqual(ends("cardproc_card", "2027-12-31T23:59:00Z", 6), [
      "2028-01-31T23:59",
      "2028-02-29T23:59",
      "2028-03-31T23:59",
      "2028-04-30T23:59",
      "2028-05-31T23:59",
      "2028-06-30T23:59"
    ])
    assert.deepStrictEqual(ends("pix_annual", "2028-02-29T08:00:00Z", 4), [
      "2029-02-28T08:00",
      "2030-02-28T08:00",
      "2031-02-28T08:00",
      "2032-02-29T08:00"
    ])
  })

  it("periods keep the time of day, skip no month and grow with their number", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 400 }), (from, months) => {
        const [start, end] = [new Date(from), new Date(addMonths(from, months))]
        const passed = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
        const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
        assert.strictEqual(passed, months)
        assert.strictEqual(end.getUTCDate(), Math.min(start.getUTCDate(), last))
        assert.strictEqual(end.getTime() % day, from % day)
        assert.isAbove(addMonths(from, months + 1), end.getTime())
      })
    )
  })
})

describe("The price of an upgrade", () => {
  it("an upgrade costs the difference for the rest of the period, to the centavo half up, at least R$ 1,00 (gaps-3 E Change details)", () => {
    const period = { start: 0, end: 1000 }
    assert.strictEqual(proration(100_0000, period, 0), 100_0000)
    assert.strictEqual(proration(100_0000, period, 250), 75_0000)
    assert.strictEqual(proration(350_0000, { start: 0, end: 31 * day }, 10 * day), 237_1000)
    // R$ 2,005 and R$ 2,0049: half a centavo goes up, less does not.
    assert.strictEqual(proration(4_0100, { start: 0, end: 2 }, 1), 2_0100)
    assert.strictEqual(proration(20_0490, { start: 0, end: 10 }, 9), 2_0000)
    assert.strictEqual(proration(100_0000, period, 999), 1_0000)
    assert.strictEqual(proration(100_0000, period, 1000), 1_0000)
    assert.strictEqual(proration(100_0000, period, 5000), 1_0000)
  })

  it("the price is within half a centavo of the exact share, whole centavos, and falls as time passes", () => {
    const fees = fc.integer({ min: 1, max: 1_500_000 }).map((centavos) => centavos * 100)
    const length = fc.integer({ min: 1, max: 366 * day })
    fc.assert(
      fc.property(fees, length, fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (fee, end, a, b) => {
        const [early, late] = [Math.floor((end * Math.min(a, b)) / 1000), Math.floor((end * Math.max(a, b)) / 1000)]
        const price = proration(fee, { start: 0, end }, early)
        assert.strictEqual(price % 100, 0)
        assert.isAtMost(proration(fee, { start: 0, end }, late), price)
        if (price === 1_0000) return
        const off = BigInt(price) * BigInt(end) - BigInt(fee) * BigInt(end - early)
        assert.isTrue(off * 2n <= 100n * BigInt(end) && off * 2n > -100n * BigInt(end))
      })
    )
  })
})

describe("A subscription by card", () => {
  it("starts with its first paid invoice C-PLAN-03 C-PLAN-14", () => {
    const begun = subscribed("cardproc_card")
    assert.deepInclude(begun, {
      status: "active",
      plan_offering_id: "plo_standard",
      billing_rail: "cardproc_card",
      current_period_end: at("2026-02-28T10:00:00Z"),
      due_at: at("2026-02-28T10:00:00Z"),
      cancel_at_period_end: false
    })
  })

  it("is charged at the end of its period, and a payment renews it from that end", () => {
    const before = subscribed("cardproc_card")
    const end = at("2026-02-28T10:00:00Z")
    assert.deepStrictEqual(elapse(before, undefined, plans, end - 1), { subscription: before })
    const { draft, subscription } = elapse(before, undefined, plans, end)
    assert.deepInclude(draft, { kind: "renewal", amount: 149_0000, charged_by: "card", expires_at: null })
    assert.strictEqual(subscription.due_at, null)
    const open = invoiceOf(draft, end)
    assert.deepStrictEqual(elapse(subscription, open, plans, end + day), { subscription })
    const renewed = paid(subscription, open, end + 5000)
    assert.isUndefined(renewed.plan)
    assert.deepInclude(renewed.subscription, {
      status: "active",
      current_period_start: end,
      current_period_end: at("2026-03-31T10:00:00Z")
    })
  })

  it("is past due after a failed renewal, retried on days 1, 3, 5 and 7, and then over (gaps-3 E Subscription states)", () => {
    const end = at("2026-02-28T10:00:00Z")
    const tried = elapse(subscribed("cardproc_card"), undefined, plans, end)
    let { subscription } = unpaid(tried.subscription, invoiceOf(tried.draft, end), end + 1000)
    const days: Array<number> = []
    while (subscription.status === "past_due") {
      assert.strictEqual(subscription.plan_offering_id, "plo_standard")
      const due = subscription.due_at ?? assert.fail("nothing is due")
      days.push((due - end) / day)
      const retry = elapse(subscription, undefined, plans, due)
      const failed = unpaid(retry.subscription, invoiceOf(retry.draft, due), due + 1000)
      if (failed.subscription.status === "canceled") {
        assert.deepStrictEqual(failed.plan, { plan_offering_id: null, effective_from: due + 1000 })
      }
      subscription = failed.subscription
    }
    assert.deepStrictEqual(days, [1, 3, 5, 7])
    assert.deepStrictEqual(subscription, {
      ...noSubscription,
      status: "canceled",
      canceled_at: end + 7 * day + 1000
    })
  })

  it("is active again when a retry is paid, for the period that was owed", () => {
    const end = at("2026-02-28T10:00:00Z")
    const tried = elapse(subscribed("cardproc_card"), undefined, plans, end)
    const late = unpaid(tried.subscription, invoiceOf(tried.draft, end), end).subscription
    const carded = retryWithCard(late, undefined, end + 3600)
    for (const retry of [elapse(late, undefined, plans, end + 3 * day), elapse(carded, undefined, plans, end + 3600)]) {
      const { subscription } = paid(retry.subscription, invoiceOf(retry.draft), end + 3 * day)
      assert.deepInclude(subscription, {
        status: "active",
        current_period_end: at("2026-03-31T10:00:00Z"),
        due_at: at("2026-03-31T10:00:00Z"),
        retries: 0
      })
    }
    // A card that becomes the default takes no retry away, and charges nothing while a charge is under way.
    const extra = elapse(carded, undefined, plans, end + 3600)
    assert.deepStrictEqual(unpaid(extra.subscription, invoiceOf(extra.draft), end + 4000).subscription, late)
    assert.deepStrictEqual(retryWithCard(late, invoiceOf(tried.draft), end), late)
    const fine = subscribed("cardproc_card")
    assert.deepStrictEqual(retryWithCard(fine, undefined, end), fine)
  })
})

describe("A subscription by annual Pix", () => {
  const end = at("2027-01-31T10:00:00Z")

  it("can be renewed from seven days before its end, and is renewed from its end when that is paid", () => {
    const before = subscribed("pix_annual")
    assert.strictEqual(before.current_period_end, end)
    assert.strictEqual(before.due_at, end - 7 * day)
    const { draft, subscription } = elapse(before, undefined, plans, end - 7 * day)
    assert.deepInclude(draft, { amount: 1490_0000, charged_by: "pix", expires_at: end + 7 * day })
    assert.strictEqual(subscription.due_at, end)
    const renewed = paid(subscription, invoiceOf(draft), end - 6 * day).subscription
    assert.deepInclude(renewed, { status: "active", current_period_end: at("2028-01-31T10:00:00Z") })
  })

  it("is past due when unpaid at its end, and over seven days later", () => {
    const issued = elapse(subscribed("pix_annual"), undefined, plans, end - 7 * day)
    const open = invoiceOf(issued.draft, end - 7 * day)
    let { subscription } = elapse(issued.subscription, open, plans, end)
    assert.strictEqual(subscription.status, "past_due")
    const days: Array<number> = []
    while (subscription.status === "past_due") {
      const due = subscription.due_at ?? assert.fail("nothing is due")
      days.push((due - end) / day)
      const next = elapse(subscription, open, plans, due)
      assert.isUndefined(next.draft)
      subscription = next.subscription
    }
    assert.deepStrictEqual([days, subscription.status], [[1, 3, 5, 7], "canceled"])
  })

  it("repeats a charge that could not be made once a day", () => {
    const issued = elapse(subscribed("pix_annual"), undefined, plans, end - 7 * day)
    const failed = unpaid(issued.subscription, invoiceOf(issued.draft), end - 7 * day + 1).subscription
    assert.deepInclude(failed, { status: "active", due_at: end - 6 * day + 1 })
    assert.isDefined(elapse(failed, undefined, plans, end - 6 * day + 1).draft)
  })
})

describe("A wish for another plan", () => {
  const current = subscribed("cardproc_card")
  const middle = at("2026-02-14T10:00:00Z")

  it("is refused by the first failing check C-PLAN-16 C-PLAN-22 C-PLAN-23", () => {
    const open = invoiceOf({
      kind: "upgrade",
      plan_offering_id: "plo_scale",
      billing_rail: "cardproc_card",
      charged_by: "card",
      amount: 1,
      expires_at: null,
      period_end: null,
      from_plan_offering_id: null
    })
    const ask = (
      rail: "cardproc_card" | "pix_annual",
      plan: string,
      over: Partial<PlanContext>,
      from = noSubscription
    ) => refusalOf(subscribe(from, { plan_offering_id: plan, rail }, context(over)))
    const bad = { open, phones: 3, hasCard: false }
    assert.strictEqual(ask("cardproc_card", "plo_other", bad, current), "plan_offering_not_found")
    assert.strictEqual(ask("cardproc_card", "plo_starter", bad, current), "subscription_already_active")
    assert.strictEqual(ask("cardproc_card", "plo_starter", bad), "subscription_change_pending")
    assert.strictEqual(ask("cardproc_card", "plo_starter", { ...bad, open: undefined }), "plan_phone_limit_reached")
    assert.strictEqual(ask("cardproc_card", "plo_starter", { hasCard: false, phones: 2 }), "payment_method_required")
    assert.isUndefined(ask("pix_annual", "plo_scale", { hasCard: false, phones: 900 }))

    const to = (plan: string, over: Partial<PlanContext>, from: Subscription = current) =>
      refusalOf(change(from, plan, context({ now: middle, ...over })))
    assert.strictEqual(to("plo_other", bad, noSubscription), "subscription_not_found")
    assert.strictEqual(to("plo_other", bad, { ...noSubscription, status: "canceled" }), "subscription_not_found")
    assert.strictEqual(to("plo_other", bad), "plan_offering_not_found")
    assert.strictEqual(to("plo_standard", bad, { ...current, status: "past_due" }), "subscription_change_pending")
    assert.strictEqual(to("plo_standard", bad), "plan_already_current")
    assert.strictEqual(to("plo_growth", bad), "subscription_change_pending")
    assert.strictEqual(to("plo_starter", { ...bad, open: undefined }), "plan_phone_limit_reached")
    assert.strictEqual(to("plo_growth", { ...bad, open: undefined }), "payment_method_required")
    assert.strictEqual(refusalOf(cancel(noSubscription, undefined, middle)), "subscription_not_found")
  })

  it("an upgrade is charged for the rest of the period, and applies when it is paid C-PLAN-18 C-PLAN-19", () => {
    const { draft, plan, subscription } = allowed(change(current, "plo_growth", context({ now: middle })))
    assert.deepInclude(draft, { kind: "upgrade", charged_by: "card", amount: 175_0000 })
    assert.deepStrictEqual([subscription.plan_offering_id, plan], ["plo_standard", undefined])
    const upgraded = paid(subscription, invoiceOf(draft), middle + 1)
    assert.deepStrictEqual(upgraded.plan, { plan_offering_id: "plo_growth", effective_from: middle + 1 })
    assert.strictEqual(upgraded.subscription.current_period_end, current.current_period_end)
    const dropped = unpaid(subscription, invoiceOf(draft), middle + 1)
    assert.deepStrictEqual(dropped, { subscription: current })
  })

  it("a downgrade waits for the renewal, and a newer request replaces it", () => {
    const lower = allowed(change(current, "plo_starter", context({ now: middle }))).subscription
    assert.deepStrictEqual([lower.plan_offering_id, lower.pending_plan_offering_id], ["plo_standard", "plo_starter"])
    const end = current.current_period_end ?? 0
    const renewal = elapse(lower, undefined, plans, end)
    assert.strictEqual(renewal.draft?.amount, 49_0000)
    const applied = paid(renewal.subscription, invoiceOf(renewal.draft), end + 1)
    assert.deepStrictEqual(applied.plan, { plan_offering_id: "plo_starter", effective_from: end + 1 })
    const upgraded = allowed(change(lower, "plo_scale", context({ now: middle }))).subscription
    assert.isNull(upgraded.pending_plan_offering_id)
    const cancelled = allowed(cancel(lower, undefined, middle)).subscription
    assert.deepStrictEqual([cancelled.pending_plan_offering_id, cancelled.cancel_at_period_end], [null, true])
  })

  it("a cancellation keeps the plan until the end of the period; repeats change nothing C-PLAN-20 C-PLAN-21", () => {
    const scheduled = allowed(cancel(current, undefined, middle)).subscription
    assert.deepStrictEqual(scheduled, { ...current, cancel_at_period_end: true })
    assert.deepStrictEqual(allowed(cancel(scheduled, undefined, middle + 1)), { subscription: scheduled })
    const end = current.current_period_end ?? 0
    assert.deepStrictEqual(elapse(scheduled, undefined, plans, end - 1), { subscription: scheduled })
    const over = elapse(scheduled, undefined, plans, end + 3000)
    assert.strictEqual(over.subscription.status, "canceled")
    // Usage of the seconds until it was noticed is priced by the free tier.
    assert.deepStrictEqual(over.plan, { plan_offering_id: null, effective_from: end })
    const kept = allowed(change(scheduled, "plo_standard", context({ now: middle })))
    assert.deepStrictEqual(kept, { subscription: current })
    const late: Subscription = {
      ...current,
      status: "past_due",
      past_due_since: end,
      retries: 1,
      due_at: end + 3 * day
    }
    assert.strictEqual(allowed(cancel(late, undefined, end + day)).subscription.status, "canceled")
  })
})
