import { defaultRetrySchedules, dueAt, jitterFactor } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const mean = 0.5

describe("RetrySchedule", () => {
  it("makes 8 production attempts over about 27.6 hours (gaps-1 K, retry schedule)", () => {
    const delays = defaultRetrySchedules.production
    let at = 0
    const waits: Array<number> = []
    for (let attempt = 1; ; attempt++) {
      const due = dueAt(delays, attempt, at, mean)
      if (due === undefined) break
      waits.push((due - at) / 1000)
      at = due
    }
    assert.deepStrictEqual(waits, [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    assert.strictEqual((at / 3_600_000).toFixed(1), "27.6")
  })

  it("makes 3 sandbox attempts: at once, 5 and 30 seconds (gaps-1 K, retry schedule)", () => {
    const due = [1, 2, 3, 4].map((attempt) => dueAt(defaultRetrySchedules.sandbox, attempt, 1000, mean))
    assert.deepStrictEqual(due, [1000, 6000, 31_000, undefined])
  })

  it("ends at once when the schedule is empty", () => {
    assert.isUndefined(dueAt([], 1, 0, mean))
  })

  it("keeps every delay within a tenth of its setting and never moves the first attempt (gaps-1 K, retry schedule)", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...defaultRetrySchedules.production.entries()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 4_000_000_000_000 }),
        ([index, delay], draw, from) => {
          const due = dueAt(defaultRetrySchedules.production, index + 1, from, draw)
          assert.isDefined(due)
          const waited = (due ?? 0) - from
          assert.isTrue(Number.isInteger(waited))
          assert.isAtLeast(waited, delay * 0.9)
          assert.isAtMost(waited, delay * 1.1)
        }
      )
    )
  })

  it("spreads the factor over 0.9..1.1", () => {
    assert.deepStrictEqual(
      [0, 0.5, 1].map((draw) => jitterFactor(draw).toFixed(2)),
      ["0.90", "1.00", "1.10"]
    )
  })
})
