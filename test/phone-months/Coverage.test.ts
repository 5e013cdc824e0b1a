import {
  type CoverageAccount,
  type CoveredNumber,
  decideCharge,
  emptyMonth,
  isToDisable,
  type MonthsOf,
  suspendedFrom,
  viewOf
} from "@carteiro/runtime/phone-months/months/Coverage.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const at = (text: string) => Date.parse(text)
const fee = 19_9000
const number: CoveredNumber = {
  status: "active",
  suspended_at: null,
  enrollment_status: "active",
  enrolled_at: at("2027-01-10T00:00:00Z")
}
const free: CoverageAccount = { environment: "production", balance: 0, plans: [], plan_ends_at: null }
const since = (from: string, plan: string | null, covers = plan === "plo_standard") => ({
  effective_from: at(from),
  plan_offering_id: plan,
  covers
})
const none = () => emptyMonth
const charged =
  (month: string, isUnpaid = false) =>
  (asked: string) =>
    asked === month ? { ...emptyMonth, charged: fee, isUnpaid } : emptyMonth
const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 16))

describe("Coverage", () => {
  it("reaches to the end of the month in which a plan ends, the leap day included C-PMGT-05 C-PMGT-06", () => {
    const ended = {
      ...free,
      plans: [since("2028-01-05T00:00:00Z", "plo_standard"), since("2028-02-10T00:00:00Z", null)]
    }
    const read = (now: string) => viewOf(number, ended, none, at(now), fee)
    assert.deepStrictEqual(
      [read("2028-02-29T23:59:59.999Z").coverage, read("2028-03-01T00:00:00Z").coverage],
      ["plan", "none"]
    )
    assert.strictEqual(iso(read("2028-02-29T12:00:00Z").covered_until), "2028-03-01T00:00")
    assert.strictEqual(iso(suspendedFrom(number, ended, none, at("2028-02-29T12:00:00Z"))), "2028-03-01T00:00")
    // A plan that ends with the first instant of a month covers that month.
    const late = {
      ...free,
      plans: [since("2028-01-05T00:00:00Z", "plo_standard"), since("2028-02-01T00:00:00Z", null)]
    }
    assert.strictEqual(viewOf(number, late, none, at("2028-02-15T00:00:00Z"), fee).coverage, "plan")
    assert.strictEqual(viewOf(number, late, none, at("2028-03-01T00:00:00Z"), fee).coverage, "none")
  })

  it("continues with a plan that renews, and its first fee is due after the plan C-PMGT-06 C-PMGT-11", () => {
    const account = {
      ...free,
      plans: [since("2028-01-05T00:00:00Z", "plo_standard")],
      plan_ends_at: at("2028-12-31T12:00:00Z")
    }
    const { covered_until, next_charge_at } = viewOf(number, account, none, at("2028-02-10T00:00:00Z"), fee)
    assert.deepStrictEqual([iso(covered_until), iso(next_charge_at)], ["2029-01-01T00:00", "2029-01-01T00:05"])
    assert.isNull(suspendedFrom(number, account, none, at("2028-02-10T00:00:00Z")))
  })

  it("charges numbers in service below zero too, and others as far as the balance allows C-PMGT-12 (gaps-3 F Who is charged on the 1st)", () => {
    const first = at("2028-03-01T00:05:00Z")
    const decide = (months: MonthsOf, change: Partial<CoveredNumber> = {}, balance = 0) =>
      decideCharge({ ...number, ...change }, { ...free, balance }, months, first, fee)
    assert.strictEqual(decide(charged("2028-02")), "charge")
    assert.strictEqual(decide(charged("2028-02", true), {}, -500), "charge")
    assert.strictEqual(decide(none), "unfunded")
    assert.strictEqual(decide(none, {}, fee), "charge")
    assert.strictEqual(decide(none, {}, fee - 1), "unfunded")
    assert.strictEqual(decide(charged("2028-02"), { status: "verifying" }), "unfunded")
    assert.strictEqual(decide(charged("2028-02"), { enrolled_at: first - 1000 }), "unfunded")
    assert.isUndefined(decide(charged("2028-03"), {}, fee))
    assert.isUndefined(decide(none, { enrollment_status: "suspended" }, fee))
    // A release under way keeps the jobs away.
    assert.isUndefined(decide(none, { status: "release_requested" }, fee))
    const disabled = () => ({ ...emptyMonth, charged: fee, isDisabled: true })
    assert.strictEqual(
      decideCharge(number, free, (month) => (month === "2028-02" ? disabled() : emptyMonth), first, fee),
      "unfunded"
    )
  })

  it("a fenced number has no deadline and is left alone C-PMGT-21 (gaps-3 F Fenced numbers)", () => {
    const now = at("2028-02-29T12:00:00Z")
    const unpaid = charged("2028-02", true)
    assert.isTrue(isToDisable(number, free, unpaid, now))
    assert.isFalse(isToDisable({ ...number, status: "release_requested" }, free, unpaid, now))
    assert.strictEqual(iso(viewOf(number, free, unpaid, now, fee).disable_at), "2028-02-29T12:00")
    assert.isNull(viewOf({ ...number, status: "release_requested" }, free, unpaid, now, fee).disable_at)
  })

  it.prop(
    "none means nothing is covered and nothing is sent; no sandbox and no paid plan has a deadline C-PMGT-08 C-PMGT-10 C-PMGT-22 C-PMGT-24",
    [
      Schema.Literals(["sandbox", "production"]),
      Schema.Literals(["active", "verifying", "failed", "release_requested"]),
      Schema.Literals(["active", "suspended"]),
      Schema.NullOr(Schema.Literals(["plo_starter", "plo_standard"])),
      Schema.Boolean,
      Schema.Boolean,
      Schema.Boolean,
      Schema.Int.check(Schema.isBetween({ minimum: at("2028-02-01T00:00:00Z"), maximum: at("2028-02-29T23:59:59Z") }))
    ],
    ([environment, status, enrollment_status, plan, isCharged, isUnpaid, isDisabled, now]) => {
      const plans = [since("2028-01-01T00:00:00Z", plan)]
      const account = { ...free, environment, plans, plan_ends_at: plan === null ? null : at("2028-03-10T00:00:00Z") }
      const own = { ...number, status, enrollment_status }
      const months = (month: string) =>
        month === "2028-02"
          ? { charged: isCharged ? fee : null, isUnfunded: !isCharged, isDisabled, isUnpaid: isCharged && isUnpaid }
          : emptyMonth
      const view = viewOf(own, account, months, now, fee)
      const from = suspendedFrom(own, account, months, now)
      assert.strictEqual(view.coverage === "none", view.covered_until === null)
      assert.strictEqual(view.coverage === "none", from !== null && from <= now)
      if (view.service_state === "serving") assert.isTrue(view.coverage !== "none" && status === "active")
      if (environment === "sandbox" || plan !== null || view.coverage === "plan") assert.isNull(view.disable_at)
      if (now >= at("2028-02-29T18:00:00Z")) assert.isNull(view.disable_at)
      if (enrollment_status === "suspended") assert.isNull(view.next_charge_at)
    }
  )
})
