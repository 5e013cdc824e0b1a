import { AuthenticationError, InsufficientScope, RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Door, SampleServer } from "./SampleServer.ts"
import { call, type WireRequest } from "./Wire.ts"

const key = (...values: ReadonlyArray<string>) => values.map((value) => ["Idempotency-Key", value] as const)
const codeOf = (line: string, options: WireRequest) => Effect.map(call(line, options), ({ json }) => json.error?.code)
const lastAsked = Effect.map(Door, (door) => door.asked.at(-1))

it.layer(SampleServer, { excludeTestServices: true })("Order of checks in one request", (it) => {
  it.effect("lets admission refuse before any fault of the body or key A-AUTH-03 A-ERR-09", () =>
    Effect.gen(function* () {
      const door = yield* Door
      const broken = { body: "{", headers: key("a", "b") }
      for (const refusal of [
        new AuthenticationError(),
        new InsufficientScope(),
        new RateLimited({ retry_after_ms: 1 })
      ]) {
        door.refusals.push(refusal)
        assert.strictEqual(yield* codeOf("POST /v1/parcels", broken), refusal._tag)
      }
      assert.strictEqual(yield* codeOf("POST /v1/parcels", broken), "invalid_idempotency_key")
    })
  )

  it.effect("passes every Authorization header, the source and the operation to admission A-AUTH-01", () =>
    Effect.gen(function* () {
      yield* call("POST /v1/parcels/a/cancel", {
        headers: [
          ["Authorization", "Bearer one"],
          ["authorization", "Bearer two"]
        ]
      })
      const asked = yield* lastAsked
      assert.deepStrictEqual(asked?.authorization, ["Bearer one", "Bearer two"])
      assert.deepStrictEqual([asked?.operation, asked?.ip, asked?.rate], ["parcels.cancel", "127.0.0.1", "write"])
    })
  )

  it.effect("asks a mandatory key before the body's faults, blank counting as missing A-IDEM-11", () =>
    Effect.gen(function* () {
      const report = (options: WireRequest) => call("POST /v1/parcels/a/report", options)
      for (const headers of [[], key(""), key("   ")]) {
        const { status, json } = yield* report({ body: "{", headers })
        assert.deepStrictEqual(
          [status, json.error.code, json.error.type],
          [400, "missing_idempotency_key", "validation_error"]
        )
        assert.strictEqual(json.error.param, "Idempotency-Key")
        assert.isUndefined((yield* lastAsked)?.rate, "a refused report spends nothing")
      }
      assert.strictEqual((yield* report({ body: "{", headers: key("k1") })).json.error.code, "http_exception")
      assert.strictEqual((yield* report({ body: { name: "a" }, headers: key("k1") })).status, 201)
      assert.deepStrictEqual([(yield* lastAsked)?.rate, (yield* lastAsked)?.rateAfterIdempotency], ["write", true])
    })
  )

  it.effect("holds faults in the order http_exception, body, query A-ERR-22", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* codeOf("POST /v1/parcels", { body: "{" }), "http_exception")
      assert.strictEqual(yield* codeOf("POST /v1/parcels", { body: "{}" }), "invalid_parcel_request")
      assert.strictEqual((yield* lastAsked)?.rate, "write", "elsewhere a bad body has spent its token")
    })
  )

  it.effect("spends nothing on a bad body where the body comes before the rate limit A-ERR-15", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* codeOf("POST /v1/parcels/a/simulate", { body: {} }), "invalid_parcel_request")
      assert.isUndefined((yield* lastAsked)?.rate)
      yield* call("POST /v1/parcels/a/simulate", { body: { name: "a" } })
      assert.strictEqual((yield* lastAsked)?.rate, "write")
    })
  )

  it.effect("leaves the token to handlers that draw their own A-ERR-15", () =>
    Effect.gen(function* () {
      yield* call("POST /v1/parcels/a/test")
      assert.isUndefined((yield* lastAsked)?.rate)
    })
  )

  it.effect("checks the capability after the held faults and before the handler A-ERR-28", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.capabilitiesOff = ["messaging"]
      assert.strictEqual(yield* codeOf("POST /v1/parcels/a/simulate", { body: {} }), "invalid_parcel_request")
      const { status, json } = yield* call("POST /v1/parcels/a/simulate", { body: { name: "a" } })
      assert.deepStrictEqual(
        [status, json.error.code, json.error.type, json.error.details],
        [403, "feature_disabled", "authorization_error", { feature: "messaging" }]
      )
      door.capabilitiesOff = []
    })
  )
})
