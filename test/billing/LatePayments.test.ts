import { givenBack, paid } from "@carteiro/runtime/billing/subscription/Payment.ts"
import { change, type Offering, subscribe } from "@carteiro/runtime/billing/subscription/PlanChange.ts"
import {
  type Invoice,
  type InvoiceDraft,
  noSubscription,
  type Subscription
} from "@carteiro/runtime/billing/subscription/Subscription.ts"
import { elapse, ended } from "@carteiro/runtime/billing/subscription/SubscriptionClock.ts"
import { assert, describe, it } from "@effect/vitest"

const day = 86_400_000
const start = Date.parse("2026-01-01T10:00:00Z")
const end = Date.parse("2026-02-01T10:00:00Z")

const plans: ReadonlyMap<string, Offering> = new Map(
  [
    { id: "plo_starter", monthly_fee: 49_0000, annual_fee: 490_0000, max_phones: 2 },
    { id: "plo_standard", monthly_fee: 149_0000, annual_fee: 1490_0000, max_phones: 5 },
    { id: "plo_growth", monthly_fee: 499_0000, annual_fee: 4990_0000, max_phones: 20 }
  ].map((plan) => [plan.id, plan])
)
const groundAt = (now: number) => ({ plans, open: undefined, phones: 0, hasCard: true, now })

const invoiceOf = (draft: InvoiceDraft | undefined, created_at: number, more: Partial<Invoice> = {}): Invoice => {
  assert.isDefined(draft)
  return { ...draft, id: "inv_1", status: "expired", created_at, ended_at: null, is_credited: false, ...more }
}
/** The first invoice of a wish for Starter. */
const firstAt = (now: number, rail: "cardproc_card" | "pix_annual" = "cardproc_card"): Invoice => {
  const asked = subscribe(noSubscription, { plan_offering_id: "plo_starter", rail }, groundAt(now))
  if ("refusal" in asked) throw new Error(asked.refusal._tag)
  return invoiceOf(asked.draft, now)
}
const upgradeAt = (subscription: Subscription, plan: string, now: number) => {
  const wished = change(subscription, plan, groundAt(now))
  if ("refusal" in wished) throw new Error(wished.refusal._tag)
  return { subscription: wished.subscription, invoice: invoiceOf(wished.draft, now) }
}
const begun = paid(noSubscription, firstAt(start), start).subscription

describe("An upgrade that is paid late", () => {
  const soon = end - 40_000
  const { invoice, subscription } = upgradeAt(begun, "plo_growth", soon)

  it("a payment after the end of its period is credited and changes no plan (gaps-3 E Change details)", () => {
    assert.strictEqual(invoice.amount, 1_0000)
    for (const waiting of [subscription, begun]) {
      const late = paid(waiting, invoice, end)
      assert.deepStrictEqual([late.credits, late.plan], [true, undefined])
      assert.deepStrictEqual(late.subscription, waiting)
    }
    const renewal = elapse(begun, undefined, plans, end)
    const renewed = paid(renewal.subscription, invoiceOf(renewal.draft, end, { status: "open" }), end + 1).subscription
    assert.deepStrictEqual(paid(renewed, invoice, end + 60_000), { subscription: renewed, credits: true })
  })

  it("a payment within its period applies", () => {
    const { plan, subscription: after } = paid(subscription, invoice, end - 1)
    assert.deepStrictEqual(plan, { plan_offering_id: "plo_growth", effective_from: end - 1 })
    assert.strictEqual(after.current_period_end, end)
  })

  it("an upgrade is awaited until its period ends; then the renewal or the end of the plan follows", () => {
    const open: Invoice = { ...invoice, status: "open" }
    assert.strictEqual(subscription.due_at, end)
    assert.deepStrictEqual(elapse(subscription, open, plans, end - 1), { subscription })
    const given = elapse(subscription, open, plans, end)
    assert.isTrue(given.voids)
    assert.isUndefined(given.draft)
    assert.deepInclude(elapse(given.subscription, undefined, plans, end).draft, {
      kind: "renewal",
      plan_offering_id: "plo_starter"
    })
    const cancelled = { ...subscription, cancel_at_period_end: true }
    const dropped = elapse(cancelled, open, plans, end)
    assert.strictEqual(elapse(dropped.subscription, undefined, plans, end).subscription.status, "canceled")
  })

  it("a payment is credited when another upgrade has changed the plan it was priced from", () => {
    const smaller = upgradeAt(begun, "plo_standard", start + day).invoice
    const larger = upgradeAt(begun, "plo_growth", start + 2 * day)
    const { subscription: grown } = paid(larger.subscription, larger.invoice, start + 2 * day)
    assert.deepStrictEqual(paid(grown, smaller, start + 3 * day), { subscription: grown, credits: true })
  })

  it("a payment is credited when an early renewal has moved the end of the period", () => {
    const yearly = paid(noSubscription, firstAt(start, "pix_annual"), start).subscription
    const yearEnd = yearly.current_period_end ?? 0
    const wish = upgradeAt(yearly, "plo_growth", yearEnd - 8 * day)
    const renewal = elapse(yearly, undefined, plans, yearEnd - 7 * day)
    const renewed = paid(renewal.subscription, invoiceOf(renewal.draft, yearEnd - 7 * day), yearEnd - 6 * day)
    const late = paid(renewed.subscription, wish.invoice, yearEnd - 5 * day)
    assert.deepStrictEqual(late, { subscription: renewed.subscription, credits: true })
  })
})

describe("A renewal that is paid late", () => {
  const first = elapse(begun, undefined, plans, end)
  const renewal = invoiceOf(first.draft, end)

  it("a payment is credited when another invoice has paid its period (gaps-3 E Subscription states)", () => {
    const { subscription: renewed } = paid(first.subscription, renewal, end + day)
    assert.deepStrictEqual(paid(renewed, renewal, end + 2 * day), { subscription: renewed, credits: true })
  })

  it("a payment is credited when the subscription is over, and starts no other", () => {
    const over = ended(first.subscription, end + day).subscription
    assert.deepStrictEqual(paid(over, renewal, end + 2 * day), { subscription: over, credits: true })
  })

  it("a payment cancels every other charge for its period", () => {
    assert.isTrue(paid(first.subscription, renewal, end + day).voids)
  })

  it("a payment keeps a cancellation that was made during the charge", () => {
    const cancelled = { ...first.subscription, cancel_at_period_end: true }
    assert.isTrue(paid(cancelled, renewal, end + 1).subscription.cancel_at_period_end)
  })
})

describe("A first invoice that is paid late", () => {
  it("a payment starts the subscription, unless another one began and ended in between", () => {
    const checkout = firstAt(start - day)
    assert.strictEqual(paid(noSubscription, checkout, start).subscription.status, "active")
    assert.isTrue(paid(begun, checkout, start).credits)
    const over = ended(begun, end).subscription
    assert.deepStrictEqual(paid(over, checkout, end + day), { subscription: over, credits: true })
    assert.strictEqual(paid(over, firstAt(end + day), end + 2 * day).subscription.status, "active")
  })
})

describe("A payment for a plan that goes back", () => {
  const invoice = { ...firstAt(start), status: "paid" as const, ended_at: start }

  it("a refund ends the plan at once", () => {
    const { plan, subscription, voids } = givenBack(begun, invoice, start + 5 * day)
    assert.deepStrictEqual(subscription, { ...noSubscription, status: "canceled", canceled_at: start + 5 * day })
    assert.deepStrictEqual([plan, voids], [{ plan_offering_id: null, effective_from: start + 5 * day }, true])
  })

  it("a refund leaves alone a plan that began after the paid one had ended", () => {
    const over = ended(begun, end).subscription
    assert.deepStrictEqual(givenBack(over, invoice, end + day), { subscription: over })
    const anew = paid(over, firstAt(end + day), end + day).subscription
    assert.deepStrictEqual(givenBack(anew, invoice, end + 2 * day), { subscription: anew })
  })
})
