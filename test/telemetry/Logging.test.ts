import { type LoggingOptions, layer } from "@carteiro/runtime/telemetry/Logging.ts"
import { isSecretKey, redactedValue } from "@carteiro/runtime/telemetry/LogRedaction.ts"
import { withoutSecrets } from "@carteiro/runtime/telemetry/Otlp.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"

const logged = (options: Partial<LoggingOptions>, program: Effect.Effect<unknown>) => {
  const lines: Array<string> = []
  const destination = { write: (line: string) => lines.push(line) }
  return Effect.as(Effect.provide(program, layer({ level: "info", pretty: false, destination, ...options })), lines)
}
const oneLine = (program: Effect.Effect<unknown>) =>
  Effect.map(logged({}, program), (lines) => {
    assert.lengthOf(lines, 1)
    return JSON.parse(lines[0] ?? "")
  })

const keys = ["svc_live_", "svc_sbx_", "whsec_", "dvc_"].map((prefix) => `${prefix}0123456789abcdefABCDEF0123456789`)
const secret = fc.constantFrom(...keys, "Bearer abcdefghijkl", "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl")

describe("Logging", () => {
  it.effect("writes one JSON line an event, with the time of Clock, annotations and the error", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const line = yield* oneLine(
        Effect.logError("it", "failed", { attempt: 3 }, new Error("boom")).pipe(Effect.annotateLogs("trace_id", "t1"))
      )
      assert.deepInclude(line, {
        level: "error",
        time: 1_800_000_000_000,
        msg: "it failed",
        attempt: 3,
        trace_id: "t1"
      })
      assert.deepInclude(line.err, { type: "Error", message: "boom" })
    })
  )

  it.effect("writes nothing below its level, and nothing at all when silent", () =>
    Effect.gen(function* () {
      const everything = Effect.andThen(Effect.logDebug("d"), Effect.andThen(Effect.logInfo("i"), Effect.logFatal("f")))
      assert.lengthOf(yield* logged({ level: "trace" }, everything), 3)
      assert.lengthOf(yield* logged({ level: "info" }, everything), 2)
      assert.lengthOf(yield* logged({ level: "fatal" }, everything), 1)
      assert.lengthOf(yield* logged({ level: "silent" }, everything), 0)
    })
  )

  it.effect("writes for people when asked, with redaction", () =>
    Effect.gen(function* () {
      const lines = yield* logged({ pretty: true }, Effect.logWarning(`key ${keys[0]}`))
      assert.include(lines.join(""), "WARN: key [REDACTED]")
      assert.notInclude(lines.join(""), "svc_live_")
    })
  )

  it.effect("writes a request for people as one short line with its id, and errors with their stack", () =>
    Effect.gen(function* () {
      const request = { operation: "account.get", status: 200, duration_ms: 12, request_id: "req_1", trace_id: "t" }
      const written = (role: string, program: Effect.Effect<unknown>) =>
        Effect.map(logged({ pretty: true, base: { role } }, program), (lines) => lines.join(""))
      const line = yield* written(
        "all",
        Effect.logInfo("GET /v1/account 200 12 ms", { ...request, api_key_id: "key_1" })
      )
      assert.match(line, /^\[[\d:]{8}\] INFO: GET \/v1\/account 200 12 ms request_id=req_1 api_key_id=key_1\n$/)
      const other = yield* written("edge", Effect.logInfo("found", { operation: "x", many: [1, 2] }))
      assert.match(other, /\] INFO: found role=edge operation=x many=\[1,2\]\n$/)
      const failed = yield* written("all", Effect.logError("failed", { request_id: "req_2" }, new Error("boom")))
      assert.match(failed, /\] ERROR: failed request_id=req_2\n.*"message": "boom".*"stack":/s)
    })
  )

  it("never shows a credential, anywhere in the event", () => {
    fc.assert(
      fc.property(secret, fc.string(), (value, around) => {
        const text = `${around} ${value}`
        const error = new Error(text, { cause: { inner: text } })
        const members = { text, list: [text], [text]: 1, deep: { map: new Map([["k", text]]) } }
        const event = Effect.annotateLogs(Effect.logError(text, members, error), "note", text)
        const split = Effect.logError("Bearer", value.replace("Bearer ", ""))
        const lines = Effect.runSync(logged({}, Effect.andThen(event, split)))
        assert.lengthOf(lines, 2)
        assert.notInclude(lines.join(""), value)
        assert.notInclude(lines[1] ?? "", value.slice(-12))
      })
    )
  })

  it('hides members by name, and shows those that only name a secret gaps-3 C "Personal data in payments"', () => {
    const hidden = [
      "authorization",
      "Authorization",
      "api_key",
      "apiKey",
      "set-cookie",
      "client_secret",
      "masterKey",
      "invite_link",
      "customer_tax_id"
    ]
    for (const key of hidden) {
      assert.isTrue(isSecretKey(key), key)
      assert.deepStrictEqual(redactedValue({ [key]: { any: "thing" } }), { [key]: "[REDACTED]" })
    }
    for (const key of ["api_key_id", "key_prefix", "message_id", "trace_id"]) assert.isFalse(isSecretKey(key), key)
  })

  it("writes any value without failing", () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    assert.doesNotThrow(() => JSON.stringify(redactedValue([cycle, 1n, Symbol("s"), () => 1, new Date(Number.NaN)])))
    assert.strictEqual(redactedValue(Redacted.make("x")), "[REDACTED]")
    assert.strictEqual(redactedValue(new Uint8Array(7)), "7 bytes")
    fc.assert(fc.property(fc.anything(), (value) => JSON.stringify(redactedValue(value)) !== ""))
  })

  it("redacts secrets in exports to a collector, attributes by their key", () => {
    const record = { name: `GET ${keys[1]}`, attributes: [{ key: "api_key", value: { stringValue: "plain" } }] }
    assert.deepStrictEqual(withoutSecrets({ spans: [record], at: 5n }), {
      spans: [{ name: "GET [REDACTED]", attributes: [{ key: "api_key", value: { stringValue: "[REDACTED]" } }] }],
      at: 5n
    })
  })
})
