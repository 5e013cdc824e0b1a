import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Tracer } from "effect"
import { makeTracing } from "../telemetry/SampledTracing.ts"

const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
const clockOf = Effect.service(Clock.Clock)
const secret = new Uint8Array(32).fill(3)
const flagged = (traceId: string, flags: string) => `00-${traceId}-${"b".repeat(16)}-${flags}`
const ids = Array.from({ length: 20_000 }, (_, n) => n.toString(16).padStart(32, "0"))

const tracingWith = (share: number, key = secret) =>
  Effect.map(clockOf, (clock) => makeTracing({ tracer, clock, share, secret: key }))

describe("Tracing", () => {
  it.effect("samples the share that is set, and every node decides alike about a trace", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* tracingWith(0.05), yield* tracingWith(0.05)]
      const chosen = ids.filter((traceId) => one.request("GET /", { traceId }, {}) !== undefined)
      assert.isAbove(chosen.length, 800)
      assert.isBelow(chosen.length, 1200)
      assert.deepEqual(
        ids.filter((traceId) => other.later("send", { traceId }, {}) !== undefined),
        chosen
      )
      const stranger = yield* tracingWith(0.05, new Uint8Array(32).fill(4))
      const guessed = chosen.filter((traceId) => stranger.request("GET /", { traceId }, {}) !== undefined)
      assert.isBelow(guessed.length, chosen.length / 4, "who does not know the secret cannot tell which are sampled")
    })
  )

  it.effect("a caller's flags order nothing: neither sampling nor leaving out", () =>
    Effect.gen(function* () {
      const foreign = "a".repeat(32)
      const none = yield* tracingWith(0)
      assert.isUndefined(none.request("GET /", { traceId: foreign, traceparent: flagged(foreign, "01") }, {}))
      const all = yield* tracingWith(1)
      const span = all.request("GET /", { traceId: "own-id-of-8", traceparent: flagged(foreign, "00") }, {})
      assert.deepEqual([span?.sampled, span?.traceId], [true, foreign])
      assert.strictEqual(span?.attributes.get("carteiro.trace_id"), "own-id-of-8")
    })
  )

  it.effect("a trace id that is not 32 hex digits gets a fresh one, and ours stays an attribute", () =>
    Effect.gen(function* () {
      const tracing = yield* tracingWith(1)
      const bad = ["00-short-bad-01", flagged("0".repeat(32), "01"), flagged("g".repeat(32), "01"), "", "nonsense"]
      for (const traceparent of bad) {
        const span = tracing.request("GET /", { traceId: "order_2026-42", traceparent }, {})
        assert.match(span?.traceId ?? "", /^[0-9a-f]{32}$/)
        assert.notInclude(traceparent, span?.traceId ?? "-")
        assert.strictEqual(span?.attributes.get("carteiro.trace_id"), "order_2026-42")
      }
      const ours = tracing.request("GET /", { traceId: "d".repeat(32), traceparent: "nonsense" }, {})
      assert.strictEqual(ours?.traceId, "d".repeat(32))
    })
  )

  it.effect("work for one request is its child; work for several has a trace of its own, linked to each", () =>
    Effect.gen(function* () {
      const tracing = yield* tracingWith(1)
      const first = tracing.request("GET /", { traceId: "1".repeat(32) }, {})
      const second = tracing.request("GET /", { traceId: "2".repeat(32) }, {})
      if (first === undefined || second === undefined) return assert.fail("not sampled")
      const alone = tracing.beneath("commit", "client", [first], {})
      assert.deepEqual([alone.traceId, alone.links.length], [first.traceId, 0])
      const shared = tracing.beneath("commit", "client", [first, second], {})
      assert.notInclude([first.traceId, second.traceId], shared.traceId)
      assert.deepEqual(
        shared.links.map(({ span }) => span.spanId),
        [first.spanId, second.spanId]
      )
    })
  )

  it.effect("later work joins the trace that asked for it, linked to what this node knows of it", () =>
    Effect.gen(function* () {
      const tracing = yield* tracingWith(1)
      const foreign = "a".repeat(32)
      const asked = { traceId: "e".repeat(32), traceparent: flagged(foreign, "01") }
      const request = tracing.request("GET /", asked, {})
      const known = tracing.later("send", { traceId: asked.traceId }, {})
      assert.strictEqual(known?.traceId, foreign)
      assert.deepEqual(
        known?.links.map(({ span }) => span.spanId),
        [request?.spanId]
      )
      const elsewhere = (yield* tracingWith(1)).later("send", { traceId: asked.traceId }, {})
      assert.deepEqual([elsewhere?.traceId, elsewhere?.links.length], [asked.traceId, 0])
    })
  )

  it.effect("an id that is sampled and sent again and again is traced 128 times on a node", () =>
    Effect.gen(function* () {
      const tracing = yield* tracingWith(0.5)
      const traceId = ids.find((id) => tracing.request("GET /", { traceId: id }, {}) !== undefined) ?? ""
      const more = Array.from({ length: 500 }, () => tracing.request("GET /", { traceId }, {}))
      assert.lengthOf(
        more.filter((span) => span !== undefined),
        127
      )
    })
  )

  it.effect("a failure is told by its tag alone", () =>
    Effect.gen(function* () {
      const tracing = yield* tracingWith(1)
      const span = tracing.request("GET /", { traceId: "1".repeat(32) }, {})
      if (span === undefined) return assert.fail("not sampled")
      const refused = { _tag: "invalid_phone_e164", message: "+5511912345678 is no number" }
      tracing.end(span, yield* Effect.exit(Effect.fail(refused)))
      assert.include(
        JSON.stringify(span.status, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        refused._tag
      )
      assert.notInclude(
        JSON.stringify(span.status, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        "5511912345678"
      )
    })
  )
})
