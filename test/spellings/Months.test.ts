import { accountMonthsToBegin, monthJobs, monthsToBegin } from "@carteiro/runtime/billing/months/MonthClock.ts"
import { dailyBalances, monthsBetween } from "@carteiro/runtime/billing/statements/Statement.ts"
import { chargedAt, monthsAround, windowClosesAt } from "@carteiro/runtime/phone-months/months/Coverage.ts"
import { nextRenewalAt, releaseCutoffAt } from "@carteiro/runtime/phone-numbers/number/RenewalState.ts"
import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import {
  addMonths,
  monthAfter,
  monthBefore,
  monthEnd,
  monthOf,
  monthStart,
  monthsFrom
} from "@carteiro/spellings/Months.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const dayMs = 86_400_000
/** Where months and dates end: the years 1, 1970, 9999 and 275760, what no date holds, and instants of our days. */
const edges = [
  -62_135_596_800_000,
  0,
  Date.UTC(2026, 10, 28),
  253_402_300_800_000,
  8.64e15,
  2 ** 48,
  Number.MAX_SAFE_INTEGER
]
const instant = fc.oneof(
  fc.constantFrom(...edges, ...edges.map((at) => -at)),
  fc.tuple(fc.constantFrom(...edges), fc.integer({ min: -400 * dayMs, max: 400 * dayMs })).map(([at, off]) => at + off),
  fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) })
)
const named = /^\d{4}-(?:0[1-9]|1[0-2])$/u

describe("months by numbers", () => {
  it('have a name of year and month at every instant, and neighbours that never lead back gaps-1 "Sandbox clock"', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const month = monthOf(at)
        assert.match(month, named)
        assert.isAtLeast(monthStart(monthAfter(month)), monthStart(month))
        assert.isAtMost(monthStart(monthBefore(month)), monthStart(month))
        assert.isAbove(monthEnd(month), monthStart(month))
        if (month !== "9999-12") assert.strictEqual(monthStart(monthAfter(month)), monthEnd(month))
        if (month !== "0001-01") assert.strictEqual(monthAfter(monthBefore(month)), month)
      })
    )
  })

  it("are those of the calendar between the years 1 and 9999", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (at) => {
        const month = monthOf(at)
        assert.strictEqual(month, new Date(at).toISOString().slice(0, 7))
        assert.isTrue(monthStart(month) <= at && at < monthEnd(month))
      })
    )
    assert.deepStrictEqual(monthsFrom("2026-11", "2027-02", 9), ["2026-11", "2026-12", "2027-01", "2027-02"])
    assert.deepStrictEqual(monthsFrom("2026-11", "2027-02", 2), ["2026-11", "2026-12"])
    assert.deepStrictEqual(monthsFrom("2026-11", "2026-10", 9), [])
  })

  it("are added without leaving the years that have names, and never lead back", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 20_000 }), (at, months) => {
        const later = addMonths(at, months)
        assert.isTrue(Number.isFinite(later))
        assert.isTrue(later >= at || later > 253_000_000_000_000, `${at} + ${months}`)
        assert.match(monthOf(later), named)
      })
    )
  })
})

describe("what goes over months ends at every instant", () => {
  it('the jobs of a month: at most 240 months a pass, each due, none begun twice gaps-1 "Sandbox clock"', () => {
    fc.assert(
      fc.property(instant, instant, (opened_at, now) => {
        const all = accountMonthsToBegin({ opened_at, last: {} }, now)
        assert.isAtMost(all.length, 480)
        for (const { job, month } of all) assert.isTrue(job.dueAt(month) <= now && job.dueAt(month) >= opened_at)
        for (const job of monthJobs) {
          const months = monthsToBegin(job, monthOf(opened_at), now)
          assert.isAtMost(months.length, 240)
          assert.strictEqual(new Set(months).size, months.length)
          assert.notInclude(months, monthOf(opened_at))
        }
      })
    )
  })

  it("statements, and the days of a month", () => {
    fc.assert(
      fc.property(instant, instant, (first, now) => {
        const months = monthsBetween(first, now)
        assert.isTrue(months.length >= 1 && months.length <= 12)
        for (const month of months) assert.isAtMost(dailyBalances(0, [], month, now).length, 31)
      })
    )
  })

  it("renewals, charges and coverage", () => {
    fc.assert(
      fc.property(instant, (at) => {
        for (const next of [nextRenewalAt(at), releaseCutoffAt(at)]) assert.isTrue(Number.isFinite(next))
        for (const month of monthsAround(at)) {
          assert.isTrue(Number.isFinite(chargedAt(month)) && Number.isFinite(windowClosesAt(month)))
        }
      })
    )
  })
})

describe("instants on the wire", () => {
  it("have four digits of a year whatever the instant, and are read again as they were written A-CONV-10", () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = formatTimestamp(at)
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
        assert.strictEqual(formatTimestamp(parseTimestamp(text) ?? Number.NaN), text)
      })
    )
  })

  it("are refused where an offset leads out of the years 1 to 9999 A-CONV-11", () => {
    assert.isUndefined(parseTimestamp("9999-12-31T23:59:59-00:01"))
    assert.isUndefined(parseTimestamp("0001-01-01T00:00:00+00:01"))
    assert.strictEqual(parseTimestamp("9999-12-31T23:59:59.999Z"), 253_402_300_799_999)
    assert.strictEqual(parseTimestamp("0001-01-01T00:00:00Z"), -62_135_596_800_000)
  })
})
