import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import { type RateTable, standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** The ceiling and the throttle of failed authentication; every other bucket is lifted. */
const rates: RateTable = {
  ...Result.getOrThrow(readRateLimits("off")),
  opt_out: standardRates.opt_out,
  failed_authentication: standardRates.failed_authentication
}

it.layer(WholeProduct({ sweeps: false, rates }), { excludeTestServices: true })("The ceiling of opt-outs", (it) => {
  it.effect(
    "holds 60 and gives 10 a second to one address over all keys, before the key is looked up M-CON-11 M-LIM-02",
    () =>
      Effect.gen(function* () {
        const { acme, other, post } = yield* Api
        const body = { phone: "+5511987654321" }
        const optOut = (key: string | undefined, empty = false) =>
          Effect.map(
            post("/v1/contacts/opt-out", empty ? undefined : body, key === undefined ? {} : { key }),
            ({ body, headers, status }) => ({ status, code: body.error?.code, headers, error: body.error })
          )
        const statuses: Array<number> = []
        for (let n = 0; n < 60; n++) {
          // Keys of two organizations, a request without a key and one without a body draw from the same bucket.
          const key = [acme.sandbox.key, other.production.key, undefined][n % 3]
          statuses.push((yield* optOut(key, n % 6 === 1)).status)
        }
        assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 400, 401])
        for (const key of [acme.sandbox.key, acme.production.key, undefined, "svc_live_nonsense"]) {
          const { code, error, headers, status } = yield* optOut(key)
          assert.deepStrictEqual([status, code, error.type], [429, "rate_limited", "rate_limited"])
          assert.strictEqual(headers["retry-after"], "1")
          assert.strictEqual(error.retry_after_ms, 100)
        }
        // Nothing else is held up by it.
        const key = acme.sandbox.key
        assert.strictEqual((yield* post("/v1/contacts/opt-in", body, { key })).status, 200)
        yield* turnBy(99)
        assert.strictEqual((yield* optOut(key)).status, 429)
        yield* turnBy(1)
        assert.strictEqual((yield* optOut(key)).status, 200)
        assert.strictEqual((yield* optOut(key)).status, 429)
        yield* turnBy(1000)
        const after = yield* Effect.forEach(Array.from({ length: 11 }), () => optOut(key))
        assert.deepStrictEqual(
          after.map(({ status }) => status),
          [...Array<number>(10).fill(200), 429]
        )
      })
  )
})
