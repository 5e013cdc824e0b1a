import { RequestObserver } from "@carteiro/http-edge/RequestObserver.ts"
import { makeTracing } from "@carteiro/owners/SampledTracing.ts"
import { duringSpan } from "@carteiro/owners/Tracing.ts"
import { SpanExport } from "@carteiro/runtime/telemetry/Otlp.ts"
import { layer, type TelemetryOptions } from "@carteiro/runtime/telemetry/Telemetry.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { collector } from "../support/Collector.ts"

const quiet = (lines: Array<string>, otlpEndpoint?: string): TelemetryOptions => ({
  level: "info",
  pretty: false,
  base: { role: "all" },
  destination: { write: (line) => lines.push(line) },
  otlpEndpoint,
  version: "0.1.0"
})
const key = "svc_live_0123456789abcdefABCDEF0123456789"

describe("Telemetry", () => {
  it.live("sends traces, logs and metrics to the collector without secrets, and still logs locally", () =>
    Effect.gen(function* () {
      const { url, sent } = yield* collector
      const lines: Array<string> = []
      const work = Effect.gen(function* () {
        const observe = yield* RequestObserver
        observe?.({
          operation: "me",
          method: "GET",
          status: 200,
          requestId: "r",
          traceId: "t",
          millis: 1,
          route: "/v1/me",
          keyId: "key_1"
        })
        yield* Effect.logInfo(`with ${key}`).pipe(Effect.annotateLogs("api_key", "plain"))
      })
      const traced = Effect.gen(function* () {
        const tracer = yield* SpanExport
        if (tracer === undefined) return assert.fail("nothing exports spans")
        const tracing = makeTracing({ tracer, clock: yield* Clock.Clock, share: 1, secret: new Uint8Array(32) })
        const span = tracing.later("work", { traceId: "1".repeat(32) }, { authorization: "plain", note: key })
        if (span === undefined) return assert.fail("the trace is not sampled")
        const refused = Effect.withSpan(Effect.fail(new Error("+5511912345678 plain")), "beneath")
        yield* Effect.ignore(duringSpan(tracing, span, Effect.andThen(work, refused)))
        yield* Effect.withSpan(Effect.void, "alone")
      })
      yield* Effect.scoped(Effect.provide(traced, layer(quiet(lines, url))))
      const bodyOf = (path: string) =>
        sent
          .filter((one) => one.path === path)
          .map((one) => one.body)
          .join("")
      assert.include(bodyOf("/v1/logs"), "with [REDACTED]")
      assert.include(bodyOf("/v1/traces"), '"name":"work"')
      assert.include(bodyOf("/v1/traces"), '"name":"beneath"')
      assert.notInclude(bodyOf("/v1/traces"), '"name":"alone"')
      assert.notInclude(bodyOf("/v1/traces"), "5511912345678")
      assert.include(bodyOf("/v1/metrics"), "http_server_request_duration_seconds")
      const units = new Map(
        [...bodyOf("/v1/metrics").matchAll(/"name":"(\w+)","description":"[^"]*","unit":"(\w+)"/g)].map(
          ([, name = "", unit]) => [name, unit]
        )
      )
      assert.strictEqual(units.get("http_server_request_duration_seconds"), "s")
      assert.strictEqual(units.get("process_cpu_user_seconds_total"), "s")
      assert.strictEqual(units.get("process_resident_memory_bytes"), "By")
      assert.strictEqual(units.get("carteiro_build_info"), "1")
      assert.include(bodyOf("/v1/metrics"), '"stringValue":"carteiro"')
      const all = JSON.stringify(sent) + lines.join("")
      assert.notInclude(all, key)
      assert.notInclude(all, "plain")
      assert.include(lines[0], "GET /v1/me 200 1 ms")
      assert.deepInclude(JSON.parse(lines.at(-1) ?? ""), { role: "all", msg: "with [REDACTED]", api_key: "[REDACTED]" })
    })
  )

  it.live("opens no connection when no collector is set", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* Effect.provide(Effect.withSpan(Effect.logInfo("here"), "work"), layer(quiet(lines)))
      assert.lengthOf(lines, 1)
    })
  )
})
