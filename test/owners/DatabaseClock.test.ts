import * as DatabaseClock from "@carteiro/owners/DatabaseClock.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { firstStatus, readingOf, statusAfter, toleranceMillis } from "../../packages/owners/clock/ClockReading.ts"
import { OffsetClock } from "../../packages/owners/clock/OffsetClock.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const clockAt = (setTo: number, counter: { at: number }) =>
  new OffsetClock({
    base: Effect.runSync(Clock.Clock),
    monotonic: () => counter.at,
    setTo,
    setAt: counter.at
  })

const start = 1_800_000_000_000
const span = fc.integer({ min: 0, max: 100_000 })

it("tells operators how far off the clock is, and what is allowed (gaps-1 A Health endpoints)", () => {
  const known = { driftMillis: -412.4, uncertaintyMillis: 2.6, settingUncertaintyMillis: 3 }
  const off = "The clock was 412 ms off the database's at the last look, exact to 3 ms"
  assert.deepStrictEqual(DatabaseClock.clockHealth({ ...known, ready: true }), { status: "ok", detail: `${off}.` })
  assert.deepStrictEqual(DatabaseClock.clockHealth({ ...known, ready: false }), {
    status: "failed",
    detail: `${off}; ${toleranceMillis} ms are allowed. Look at NTP here and there.`
  })
})

describe("OffsetClock", () => {
  it("shows the time it was set to, carried on by the counter", () => {
    fc.assert(
      fc.property(span, span, (set, later) => {
        const counter = { at: set }
        const clock = clockAt(start, counter)
        counter.at += later
        assert.strictEqual(clock.currentTimeMillisUnsafe(), start + later)
        assert.strictEqual(clock.currentTimeNanosUnsafe(), BigInt(start + later) * 1_000_000n)
      })
    )
  })

  it("never goes back by a correction within the tolerance, and takes a larger one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 250 }), span, (back, later) => {
        const counter = { at: 0 }
        const clock = clockAt(start, counter)
        const before = clock.currentTimeMillisUnsafe()
        clock.set(start - back, counter.at)
        assert.strictEqual(clock.currentTimeMillisUnsafe(), before)
        counter.at += later
        assert.strictEqual(clock.currentTimeMillisUnsafe(), Math.max(before, start - back + later))
      })
    )
    const counter = { at: 0 }
    const clock = clockAt(start, counter)
    clock.currentTimeMillisUnsafe()
    clock.set(start - 60_000, counter.at)
    assert.strictEqual(clock.currentTimeMillisUnsafe(), start - 60_000)
  })

  it("tells how far it is behind a reading", () => {
    fc.assert(
      fc.property(span, fc.integer({ min: -5000, max: 5000 }), (later, ahead) => {
        const clock = clockAt(start, { at: 0 })
        assert.strictEqual(clock.behind(start + later + ahead, later), ahead)
      })
    )
  })
})

describe("ClockReading", () => {
  const drift = fc.integer({ min: -2000, max: 2000 })

  it("is unready exactly when the error is proven beyond 250 ms, or the setting is no better than that", () => {
    fc.assert(
      fc.property(drift, span, span, (drift, roundTrip, firstRoundTrip) => {
        const status = firstStatus(readingOf(0, start, firstRoundTrip))
        assert.strictEqual(status.ready, firstRoundTrip / 2 <= toleranceMillis)
        const reading = readingOf(0, start, roundTrip)
        const judged = statusAfter(status, reading, drift)
        const proven = Math.abs(drift) - reading.uncertainty
        if (proven > toleranceMillis) assert.isFalse(judged.status.ready)
        if (proven <= toleranceMillis && judged.status.settingUncertaintyMillis <= 250)
          assert.isTrue(judged.status.ready)
      })
    )
  })

  it("does not let a slow answer move a good clock", () => {
    const good = firstStatus(readingOf(0, start, 2))
    const judged = statusAfter(good, readingOf(0, start, 4000), 900)
    assert.isFalse(judged.set)
    assert.isTrue(judged.status.ready)
  })

  it("is ready again once a look after the correction agrees", () => {
    const off = statusAfter(firstStatus(readingOf(0, start, 2)), readingOf(0, start, 2), 5000)
    assert.isTrue(off.set)
    assert.isFalse(off.status.ready)
    assert.isTrue(statusAfter(off.status, readingOf(0, start, 2), 0).status.ready)
  })
})

describe("DatabaseClock", () => {
  const base = Clock.Clock
  const skewed = Layer.effect(
    Clock.Clock,
    Effect.map(base, (clock) => new OffsetClock({ base: clock, monotonic: () => 0, setTo: 0, setAt: 0 }))
  )

  it.layer(DatabaseClock.layer.pipe(Layer.provide(skewed), Layer.provideMerge(TestDatabase.empty)), {
    excludeTestServices: true
  })((it) => {
    it.effect("lives on the database's time whatever the machine says", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const health = yield* DatabaseClock.ClockHealth
        const databaseTime = Effect.map(
          sql<{ readonly millis: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis`,
          (rows) => rows[0]?.millis ?? Number.NaN
        )
        const { uncertaintyMillis } = health.status()
        const before = yield* databaseTime
        const now = yield* Clock.currentTimeMillis
        const after = yield* databaseTime
        assert.isAtLeast(now, Math.floor(before - uncertaintyMillis))
        assert.isAtMost(now, Math.ceil(after + uncertaintyMillis))
        assert.isTrue(health.status().ready)
      })
    )
  })
})
