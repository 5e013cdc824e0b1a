import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { sampleTables, secondsDue, type TableGauge } from "../schedule/TableGauges.ts"
import * as Instruments from "../telemetry/Instruments.ts"

const fresh = Instruments.layer.pipe(Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map())))

const shown = (series: string) =>
  Effect.map(PrometheusMetrics.format(), (text) =>
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1)
  )

it.layer(fresh)("gauges over tables", (it) => {
  it.effect("are read every 15 seconds, show NaN when they could not be, and leave with their reader", () =>
    Effect.gen(function* () {
      let reads = 0
      const waiting: TableGauge<never> = {
        name: "waiting",
        help: "Waiting",
        label: { name: "kind", values: ["a", "b"] },
        read: () => Effect.suspend(() => (++reads === 2 ? Effect.die("no database") : Effect.succeed({ a: reads })))
      }
      const steady: TableGauge<never> = { name: "steady", help: "Steady", read: (now) => Effect.succeed({ "": now }) }
      const reader = yield* Effect.forkChild(sampleTables([waiting, steady]))
      yield* TestClock.adjust("14 seconds")
      assert.deepStrictEqual([yield* shown('waiting{kind="a"}'), yield* shown('waiting{kind="b"}')], ["1", "0"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* shown('waiting{kind="a"}'), yield* shown("steady")], ["NaN", "15000"])
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* shown('waiting{kind="a"}'), "3")
      yield* Fiber.interrupt(reader)
      assert.isUndefined(yield* shown('waiting{kind="a"}'))
    })
  )

  it.effect("give up a reading that takes over five seconds", () =>
    Effect.gen(function* () {
      const slow: TableGauge<never> = { name: "slow", help: "Slow", read: () => Effect.never }
      const next: TableGauge<never> = { name: "next", help: "Next", read: () => Effect.succeed({ "": 1 }) }
      const reader = yield* Effect.forkChild(sampleTables([slow, next]))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([yield* shown("slow"), yield* shown("next")], ["NaN", "1"])
      yield* Fiber.interrupt(reader)
    })
  )

  it("tell ages in seconds, and 0 for what is not due yet or not there", () => {
    const now = 1_800_000_000_000
    const ages = [now - 1500, now + 1500, null, undefined].map((at) => secondsDue(at, now))
    assert.deepStrictEqual(ages, [1.5, 0, 0, 0])
  })
})
