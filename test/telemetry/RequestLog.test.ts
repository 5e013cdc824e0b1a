import type { ObservedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import { layer as logging } from "@carteiro/runtime/telemetry/Logging.ts"
import { makeRequestLog } from "@carteiro/runtime/telemetry/RequestLog.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const request: ObservedRequest = {
  operation: "messages.create",
  method: "POST",
  route: "/v1/messages",
  keyId: "key_1",
  status: 202,
  requestId: "req_1",
  traceId: "trace_1",
  millis: 4
}

/** The lines written for requests that a program tells of. */
const written = (program: (log: (request: ObservedRequest) => void) => Effect.Effect<void>) =>
  Effect.suspend(() => {
    const lines: Array<Record<string, unknown>> = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    return Effect.as(
      Effect.provide(Effect.flatMap(makeRequestLog, program), logging({ level: "info", pretty: false, destination })),
      lines
    )
  })

describe("RequestLog", () => {
  it.effect("writes one line a request, found by its request id A-CONV-22", () =>
    Effect.gen(function* () {
      const [line, ...others] = yield* written((log) => Effect.sync(() => log(request)))
      assert.deepStrictEqual(line, {
        level: "info",
        operation: "messages.create",
        status: 202,
        duration_ms: 4,
        request_id: "req_1",
        trace_id: "trace_1",
        api_key_id: "key_1",
        time: 0,
        msg: "POST /v1/messages 202 4 ms"
      })
      assert.lengthOf(others, 0)
    })
  )

  it.effect("keeps ten slow requests a second among many quick ones, so that a board leads to one of them", () =>
    Effect.gen(function* () {
      const lines = yield* written((log) =>
        Effect.sync(() => {
          for (let n = 0; n < 400; n++)
            log(n % 10 === 1 ? { ...request, millis: 1000, requestId: `req_${n}` } : request)
        })
      )
      const kept = lines.filter((line) => line.duration_ms === 1000 && !("sampled_one_of" in line))
      assert.deepStrictEqual(
        kept.slice(-11).map((line) => line.request_id),
        [41, 51, 61, 71, 81, 91, 101, 111, 121, 131, 141].map((n) => `req_${n}`)
      )
    })
  )

  it.effect("samples above a rate, says so, and drops no internal failure", () =>
    Effect.gen(function* () {
      const lines = yield* written(
        Effect.fnUntraced(function* (log) {
          for (let n = 0; n < 400; n++) log(n === 321 ? { ...request, status: 500 } : request)
          yield* TestClock.adjust("1 second")
          log(request)
        })
      )
      const sampled = lines.filter((line) => line.sampled_one_of === 100)
      assert.lengthOf(sampled, 4)
      assert.lengthOf(
        lines.filter(({ status }) => status === 500),
        1
      )
      assert.lengthOf(lines, 50 + 4 + 1 + 1)
    })
  )
})
