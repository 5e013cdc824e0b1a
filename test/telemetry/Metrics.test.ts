import { RequestObserver } from "@carteiro/http-edge/RequestObserver.ts"
import * as Instruments from "@carteiro/owners/Instruments.ts"
import * as ProcessMetrics from "@carteiro/runtime/telemetry/ProcessMetrics.ts"
import { observedRequests } from "@carteiro/runtime/telemetry/Telemetry.ts"
import { deliveryMetrics } from "@carteiro/runtime/webhooks/delivery/DeliveryMetrics.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import fc from "fast-check"
import { commitMetrics, ownerMetrics } from "../../packages/owners/telemetry/EngineMetrics.ts"

const fresh = observedRequests.pipe(
  Layer.provideMerge(Instruments.layer),
  Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
)
const request = {
  operation: "messages.create",
  method: "POST",
  status: 201,
  requestId: "r",
  traceId: "t",
  millis: 4,
  route: "/v1/messages",
  keyId: undefined
}

describe("Metrics", () => {
  it.effect("counts requests by method, route and status class, in seconds", () =>
    Effect.gen(function* () {
      const observe = yield* RequestObserver
      observe?.(request)
      observe?.({ ...request, millis: 40 })
      observe?.({ ...request, status: 429 })
      const text = yield* PrometheusMetrics.format()
      const of = (status: string) => `method="POST",route="messages.create",status="${status}"`
      assert.include(text, "# TYPE http_server_request_duration_seconds histogram")
      assert.include(text, `http_server_request_duration_seconds_bucket{${of("2xx")},le="0.005"} 1\n`)
      assert.include(text, `http_server_request_duration_seconds_bucket{${of("2xx")},le="+Inf"} 2\n`)
      assert.include(text, `http_server_request_duration_seconds_sum{${of("2xx")}} 0.044\n`)
      assert.include(text, `http_server_request_duration_seconds_count{${of("4xx")}} 1\n`)
      assert.notInclude(text, "request_id")
    }).pipe(Effect.provide(fresh))
  )

  it.effect("names owners, commits and attempts", () =>
    Effect.gen(function* () {
      const instruments = yield* Instruments.Instruments
      const owner = ownerMetrics(instruments)
      owner.callSeconds("Environment", "Admit")(0.002)
      owner.batchSize("Environment", "Admit")(17)
      yield* owner.resident("Environment", () => 3)
      const commit = commitMetrics(instruments)
      commit.seconds(0.003)
      commit.units(5)
      commit.outcomes("committed")(5)
      deliveryMetrics(instruments).attempts("delivered")(1)
      const text = yield* PrometheusMetrics.format()
      for (const line of [
        'owner_call_duration_seconds_count{owner="Environment",operation="Admit"} 1',
        'owner_batch_size_sum{owner="Environment",operation="Admit"} 17',
        'owner_resident{owner="Environment"} 3',
        "commit_duration_seconds_count 1",
        "commit_units_sum 5",
        'commit_units_total{outcome="committed"} 5',
        'webhook_attempts_total{outcome="delivered"} 1'
      ]) {
        assert.include(text, `${line}\n`)
      }
    }).pipe(Effect.scoped, Effect.provide(fresh))
  )

  it.effect("keeps one series for each set of labels, and sums its observations", () =>
    Effect.gen(function* () {
      const instruments = yield* Instruments.Instruments
      const services = yield* Effect.context<never>()
      const label = fc.string({ unit: "binary-ascii", maxLength: 3 })
      fc.assert(
        fc.property(fc.array(fc.tuple(label, label, fc.nat(9)), { maxLength: 20 }), fc.uuid(), (updates, run) => {
          const family = instruments.counter({ name: `c_${run}`, help: "c", labels: ["a", "b"] })
          const sums = new Map<string, number>()
          for (const [a, b, amount] of updates) {
            family(a, b)(amount)
            assert.strictEqual(family(a, b), family(a, b))
            sums.set(JSON.stringify({ a, b }), (sums.get(JSON.stringify({ a, b })) ?? 0) + amount)
          }
          const snapshot = Metric.snapshotUnsafe(services).filter(({ id }) => id === `c_${run}`)
          const counted = snapshot.map(({ attributes, state }) => [
            JSON.stringify(attributes),
            "count" in state && state.count
          ])
          assert.sameDeepMembers(counted, [...sums])
        })
      )
    }).pipe(Effect.provide(fresh))
  )

  it.effect("stops reading a gauge when its scope closes, and reads the process", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(ProcessMetrics.layer)
          assert.match(yield* PrometheusMetrics.format(), /^process_resident_memory_bytes \d+$/m)
        })
      )
      assert.notInclude(yield* PrometheusMetrics.format(), "process_resident_memory_bytes")
    }).pipe(Effect.provide(fresh))
  )

  it("shows a stall of the event loop for a minute at least, and forgets it after two", () => {
    let [at, nanos] = [0, 0]
    const reset = () => {
      nanos = 0
    }
    const read = ProcessMetrics.recentP99({ percentile: () => nanos, reset }, () => at)
    nanos = 5e8
    const seen = [0, 59_999, 60_000, 119_999, 120_000, 120_001].map((instant) => {
      at = instant
      return read()
    })
    assert.deepStrictEqual(seen, [0.5, 0.5, 0.5, 0.5, 0.5, 0])
  })
})
