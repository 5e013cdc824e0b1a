import { LlmFailureRepo } from "@carteiro/runtime/sandbox/LlmFailureRepo.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const arm = Effect.fnUntraced(function* (body: object, options: object = {}) {
  const { acme, post } = yield* Api
  return yield* post("/v1/sandbox/llm/failure", body, { key: acme.sandbox.key, ...options })
})

/** How a call of a language model fails now. */
const next = Effect.gen(function* () {
  const { acme } = yield* Api
  const repo = yield* LlmFailureRepo
  return yield* repo.take(acme.sandbox.id, yield* Clock.currentTimeMillis)
}).pipe(Effect.provide(LlmFailureRepo.layer))

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Failures of a language model", (it) => {
  it.effect("a failure without an end fails only the next call M-SBX-18 M-SBX-19 M-SBX-20", () =>
    Effect.gen(function* () {
      for (const failure of ["provider_down", "auth_failed", "timeout", "cost_cap_reached"]) {
        const { body, headers, status } = yield* arm({ failure })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, { armed: true, failure, expires_at: null, trace_id: headers["svc-trace-id"] })
        const calls = yield* Effect.all([next, next, next], { concurrency: "unbounded" })
        assert.sameMembers(calls, [failure, undefined, undefined])
      }
    })
  )

  it.effect("a failure with an end fails every call until then, to the millisecond M-SBX-19 M-LIM-05", () =>
    Effect.gen(function* () {
      const { body } = yield* arm({ failure: "timeout", ttl_seconds: 3600 })
      const now = yield* Clock.currentTimeMillis
      assert.strictEqual(Date.parse(body.expires_at) - now, 3_600_000)
      assert.deepStrictEqual([yield* next, yield* next], ["timeout", "timeout"])
      yield* turnBy(3_599_999)
      assert.strictEqual(yield* next, "timeout")
      yield* turnBy(1)
      assert.isUndefined(yield* next)
    })
  )

  it.effect("arming again replaces the earlier failure M-SBX-21", () =>
    Effect.gen(function* () {
      yield* arm({ failure: "timeout", ttl_seconds: 60 })
      yield* arm({ failure: "auth_failed" })
      assert.deepStrictEqual([yield* next, yield* next], ["auth_failed", undefined])
      yield* arm({ failure: "auth_failed" })
      yield* arm({ failure: "provider_down", ttl_seconds: 1 })
      assert.deepStrictEqual([yield* next, yield* next], ["provider_down", "provider_down"])
      yield* turnBy(1000)
    })
  )

  it.effect("a repeated key arms nothing again M-SBX-18 M-ERR-09", () =>
    Effect.gen(function* () {
      const first = yield* arm({ failure: "timeout" }, { idempotencyKey: "once" })
      assert.strictEqual(yield* next, "timeout")
      const again = yield* arm({ failure: "timeout" }, { idempotencyKey: "once" })
      assert.deepStrictEqual([again.text, again.headers["svc-idempotent-replayed"]], [first.text, "true"])
      assert.isUndefined(yield* next)
    })
  )

  it.effect("a body out of bounds and a production key are refused M-LIM-05 M-SBX-01", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      for (const ttl_seconds of [0, 3601, 1.5, "60"]) {
        const answer = yield* arm({ failure: "timeout", ttl_seconds })
        assert.deepStrictEqual(told(answer), [400, "invalid_sandbox_request", "ttl_seconds"])
      }
      assert.deepStrictEqual(told(yield* arm({ failure: "other" })), [400, "invalid_sandbox_request", "failure"])
      const production = yield* arm({ failure: "timeout" }, { key: acme.production.key })
      assert.deepStrictEqual(told(production), [400, "sandbox_only_route", undefined])
    })
  )

  it.effect("sends are not affected M-SBX-22", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      yield* arm({ failure: "provider_down", ttl_seconds: 60 })
      const sql = yield* SqlClient.SqlClient
      const before = yield* sql`select count(*)::int4 as n from messages`
      const answer = yield* post("/v1/messages", {}, { key: acme.sandbox.key })
      assert.deepStrictEqual(told(answer), [400, "invalid_message_request", "channel"])
      assert.deepStrictEqual(yield* sql`select count(*)::int4 as n from messages`, before)
    })
  )
})
