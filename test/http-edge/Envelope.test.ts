import { errorReply } from "@carteiro/http-edge/Refusals.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  CreditBalanceExhausted,
  InsufficientScope,
  InternalError,
  RateLimited
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Door, SampleServer } from "./SampleServer.ts"
import { call } from "./Wire.ts"

it("points to feedback after a fault of public routes alone, and never from feedback itself A-ERR-06 A-ERR-32", () => {
  const ids = { requestId: "req", traceId: "trace" }
  const feedback = (path: string) =>
    JSON.parse(errorReply(new InternalError(), ids, path, "https://api.test").body).error.feedback
  for (const path of ["/v1/messages", "/v1/feedbacks", "/v1/api-keys/feedback"]) {
    assert.deepStrictEqual(feedback(path), { endpoint: "/v1/feedback", method: "POST" }, path)
  }
  for (const path of ["/v1/feedback", "/v1/feedback/fbk_1", "/mcp", "/health", "/dashboard"]) {
    assert.isUndefined(feedback(path), path)
  }
})

it.layer(SampleServer, { excludeTestServices: true })("Envelope", (it) => {
  it.effect(
    "answers an unhandled fault with internal_error and feedback, telling nothing of it A-ERR-19 A-ERR-32 A-ERR-16",
    () =>
      Effect.gen(function* () {
        const { status, json, text } = yield* call("POST /v1/parcels", { body: { name: "boom" } })
        assert.deepStrictEqual([status, json.error.code, json.error.type], [500, "internal_error", "internal_error"])
        assert.deepStrictEqual(json.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
        assert.notInclude(text, "secret")
      })
  )

  it.effect("answers stopped work with 503 and a delay A-ERR-18", () =>
    Effect.gen(function* () {
      const { status, json, headers } = yield* call("POST /v1/parcels", { body: { name: "stop" } })
      assert.deepStrictEqual(
        [status, json.error.code, json.error.type],
        [503, "service_unavailable", "service_unavailable"]
      )
      assert.deepStrictEqual([json.error.retry_after_ms, headers["retry-after"]], [1000, "1"])
    })
  )

  it.effect("adds WWW-Authenticate to 401 A-ERR-09", () =>
    Effect.gen(function* () {
      const { status, headers } = yield* call("GET /v1/parcels/a", { anonymous: true })
      assert.deepStrictEqual([status, headers["www-authenticate"]], [401, "Bearer"])
    })
  )

  it.effect(
    "states delays exactly in the body and rounded up to at least a second in Retry-After A-ERR-03 A-ERR-15",
    () =>
      Effect.gen(function* () {
        const door = yield* Door
        for (const [exact, seconds] of [
          [1, "1"],
          [1000, "1"],
          [1001, "2"],
          [60_000, "60"]
        ] as const) {
          door.refusals.push(new RateLimited({ retry_after_ms: exact }))
          const { status, json, headers } = yield* call("GET /v1/parcels/a")
          assert.deepStrictEqual([status, json.error.retry_after_ms, headers["retry-after"]], [429, exact, seconds])
          assert.notProperty(json.error, "feedback")
        }
      })
  )

  it.effect("marks the exhausted balance as not retryable, without delay or feedback A-ERR-05 A-ERR-25", () =>
    Effect.gen(function* () {
      ;(yield* Door).refusals.push(new CreditBalanceExhausted())
      const { status, json, headers } = yield* call("GET /v1/parcels/a")
      assert.deepStrictEqual([status, json.error.type, json.error.retryable], [402, "payment_required", false])
      assert.notProperty(headers, "retry-after")
      assert.notProperty(json.error, "feedback")
    })
  )

  it.effect("carries only the members the refusal has A-ERR-01 A-ERR-04 A-ERR-37", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.refusals.push(new InsufficientScope({ details: { missing_scopes: ["messages:read"] } }))
      const { json } = yield* call("GET /v1/parcels/a")
      assert.hasAllKeys(json.error, ["type", "code", "message", "request_id", "trace_id", "details", "doc_url"])
      door.refusals.push(
        new ApiError({
          _tag: "insufficient_balance",
          status: 402,
          type: "payment_required",
          message: "m",
          feedback: true
        })
      )
      assert.deepStrictEqual((yield* call("GET /v1/parcels/a")).json.error.feedback, {
        endpoint: "/v1/feedback",
        method: "POST"
      })
    })
  )
})
