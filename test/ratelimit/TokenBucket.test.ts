import { type Bucket, levelAt, type Rate, take, takeUpTo } from "@carteiro/runtime/ratelimit/TokenBucket.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const rate = fc
  .record({
    burst: fc.integer({ min: 1, max: 600 }),
    sustained: fc.integer({ min: 1, max: 400 }),
    per: fc.constantFrom(1000, 60_000, 3_600_000)
  })
  .map(({ burst, sustained, per }): Rate => ({ burst, perMillis: sustained / per }))
const calls = fc.array(
  fc.record({ wait: fc.integer({ min: -2000, max: 400_000 }), cost: fc.integer({ min: 1, max: 5 }) }),
  { maxLength: 60 }
)

describe("TokenBucket", () => {
  it("grants in any span no more than the burst and what came back (gaps-1 M)", () => {
    fc.assert(
      fc.property(rate, calls, (rate, calls) => {
        let bucket: Bucket | undefined
        let now = 1_800_000_000_000
        let latest = now
        const granted: Array<{ at: number; cost: number }> = []
        for (const { wait, cost } of calls) {
          now += wait
          latest = Math.max(latest, now)
          const draw = take(bucket, rate, now, cost)
          bucket = draw.bucket
          if (draw.taken) granted.push({ at: latest, cost })
          assert.isAtMost(levelAt(bucket, rate, latest), rate.burst)
          assert.isAtLeast(bucket.level, 0)
        }
        for (let from = 0; from < granted.length; from++) {
          let sum = 0
          for (let to = from; to < granted.length; to++) {
            sum += granted[to]?.cost ?? 0
            const span = (granted[to]?.at ?? 0) - (granted[from]?.at ?? 0)
            assert.isAtMost(sum, rate.burst + span * rate.perMillis + 1e-6)
          }
        }
      })
    )
  })

  it("names the exact wait: refused a millisecond before it, admitted at it (A-ERR-03, A-ERR-15)", () => {
    fc.assert(
      fc.property(rate, calls, fc.integer({ min: 1, max: 600 }), (rate, calls, cost) => {
        fc.pre(cost <= rate.burst)
        let bucket: Bucket | undefined
        let now = 1_800_000_000_000
        for (const call of calls) {
          now += call.wait
          bucket = take(bucket, rate, now, call.cost).bucket
        }
        for (let i = 0; i < 600; i++) {
          const draw = take(bucket, rate, now, cost)
          bucket = draw.bucket
          if (draw.taken) continue
          assert.isTrue(Number.isInteger(draw.retryAfterMs) && draw.retryAfterMs >= 1)
          assert.isTrue(take(bucket, rate, now + draw.retryAfterMs, cost).taken)
          assert.isFalse(take(bucket, rate, now + draw.retryAfterMs - 1, cost).taken)
          return
        }
      })
    )
  })

  it("gives the waits of the table to the millisecond", () => {
    const emptied = (rate: Rate) => take(undefined, rate, 0, rate.burst).bucket
    const waitOf = (rate: Rate) => take(emptied(rate), rate, 0).retryAfterMs
    assert.strictEqual(waitOf({ burst: 200, perMillis: 100 / 1000 }), 10)
    assert.strictEqual(waitOf({ burst: 10, perMillis: 30 / 60_000 }), 2000)
    assert.strictEqual(waitOf({ burst: 5, perMillis: 30 / 3_600_000 }), 120_000)
    assert.strictEqual(waitOf({ burst: 5, perMillis: 10 / 3_600_000 }), 360_000)
  })

  it("keeps a bucket unchanged when it refuses, so refused callers delay nobody", () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 10_000 }), (rate, later) => {
        const empty = take(undefined, rate, 0, rate.burst).bucket
        const refused = take(empty, rate, later, rate.burst)
        if (!refused.taken) assert.deepStrictEqual(refused.bucket, empty)
      })
    )
  })

  it("loses nothing and gains nothing when the clock steps back", () => {
    const rate = { burst: 10, perMillis: 0.01 }
    const drained = take(undefined, rate, 10_000, 10).bucket
    const back = take(drained, rate, 4000)
    assert.isFalse(back.taken)
    assert.strictEqual(back.retryAfterMs, 6100)
    assert.isTrue(take(back.bucket, rate, 10_100).taken)
  })

  it("refuses for good a cost above the burst and a rate of nothing", () => {
    fc.assert(
      fc.property(rate, fc.nat(), (rate, now) => {
        const draw = take(undefined, rate, now, rate.burst + 1)
        assert.isFalse(draw.taken)
        assert.strictEqual(draw.retryAfterMs, Number.POSITIVE_INFINITY)
        assert.strictEqual(levelAt(draw.bucket, rate, now), rate.burst)
      })
    )
    assert.strictEqual(take({ level: 0, at: 0 }, { burst: 1, perMillis: 0 }, 9).retryAfterMs, Number.POSITIVE_INFINITY)
  })

  it("hands out whole tokens up to what there is", () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 700 }), (rate, wanted) => {
        const draw = takeUpTo(undefined, rate, 0, wanted)
        assert.strictEqual(draw.granted, Math.min(wanted, rate.burst))
      })
    )
  })
})
