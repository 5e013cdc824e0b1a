import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Door, SampleServer } from "./SampleServer.ts"
import { call } from "./Wire.ts"

const key = (...values: ReadonlyArray<string>) => values.map((value) => ["Idempotency-Key", value] as const)
const lastAsked = Effect.map(Door, (door) => door.asked.at(-1))

it.layer(SampleServer, { excludeTestServices: true })("Idempotency", (it) => {
  const create = (body: object | string, ...keys: ReadonlyArray<string>) =>
    call("POST /v1/parcels", { body, headers: key(...keys) })

  it.effect(
    "replays the stored answer byte for byte with its marker, whatever the key order or spacing A-IDEM-04 A-IDEM-05",
    () =>
      Effect.gen(function* () {
        const door = yield* Door
        const first = yield* create({ name: "a", labels: ["x"] }, "same")
        const handled = door.handled.length
        const again = yield* create('{ "labels" : ["x"],\n "name" : "\\u0061" }', "  same  ")
        assert.deepStrictEqual([again.status, again.text], [201, first.text])
        assert.strictEqual(again.headers["svc-idempotent-replayed"], "true")
        assert.notStrictEqual(again.headers["svc-trace-id"], again.json.trace_id)
        assert.notProperty(first.headers, "svc-idempotent-replayed")
        assert.strictEqual(door.handled.length, handled)
      })
  )

  it.effect("answers 409 for the same key with another body or path A-IDEM-06 A-IDEM-12", () =>
    Effect.gen(function* () {
      yield* create({ name: "a" }, "conflicting")
      const { status, json } = yield* create({ name: "b" }, "conflicting")
      assert.deepStrictEqual(
        [status, json.error.code, json.error.type],
        [409, "idempotency_key_conflict", "idempotency_conflict"]
      )
      assert.notProperty(json.error, "feedback")
      const fingerprints = (yield* Door).asked
      yield* call("POST /v1/parcels/one/cancel", { headers: key("paths-1") })
      yield* call("POST /v1/parcels/two/cancel", { headers: key("paths-2") })
      const [one, two] = fingerprints.slice(-2).map((asked) => asked.idempotency?.fingerprints[0])
      assert.notStrictEqual(one, two)
    })
  )

  it.effect("leaves an ignored body and the query out of the fingerprint A-IDEM-04", () =>
    Effect.gen(function* () {
      const { asked } = yield* Door
      yield* call("POST /v1/parcels/x/cancel?a=1", { headers: key("ignored-1"), body: "first" })
      yield* call("POST /v1/parcels/x/cancel", { headers: key("ignored-2"), body: "second" })
      const [one, two] = asked.slice(-2).map((input) => input.idempotency?.fingerprints[0])
      assert.strictEqual(one, two)
    })
  )

  it.effect("tells absent from null in the fingerprint A-IDEM-06", () =>
    Effect.gen(function* () {
      yield* create({ name: "a" }, "null-or-absent")
      assert.strictEqual((yield* create({ name: "a", note: null }, "null-or-absent")).status, 409)
    })
  )

  it.effect("takes 1 to 255 printable ASCII characters, sent once A-IDEM-01", () =>
    Effect.gen(function* () {
      for (const keys of [
        ["x".repeat(256)],
        ["tab\tinside"],
        ["caf\u00e9"],
        ["one", "two"],
        ["one", "one"],
        ["", ""]
      ]) {
        const { status, json } = yield* create({ name: "a" }, ...keys)
        assert.deepStrictEqual(
          [status, json.error?.code, json.error?.param],
          [400, "invalid_idempotency_key", "Idempotency-Key"],
          keys.join()
        )
      }
      assert.strictEqual((yield* create({ name: "a" }, "x".repeat(255))).status, 201)
      assert.strictEqual((yield* create({ name: "a" }, "~ !")).status, 201)
    })
  )

  it.effect("counts a blank header on an optional operation as absent A-IDEM-02", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create({ name: "a" }, "   ")).status, 201)
      assert.isUndefined((yield* lastAsked)?.idempotency)
    })
  )

  it.effect("gives the header no effect on an operation that honors none A-IDEM-02", () =>
    Effect.gen(function* () {
      for (const keys of [["k"], ["one", "two"], ["x".repeat(300)]]) {
        const headers = key(...keys)
        assert.strictEqual((yield* call("POST /v1/parcels/bulk-resend", { headers })).status, 202)
        assert.strictEqual((yield* call("GET /v1/parcels/a", { headers })).status, 200)
        assert.isUndefined((yield* lastAsked)?.idempotency)
      }
    })
  )

  it.effect("gives the key back after a refusal, a fault and an interruption A-IDEM-08", () =>
    Effect.gen(function* () {
      const door = yield* Door
      for (const name of ["refuse", "boom", "stop"]) {
        yield* create({ name }, `freed-${name}`)
        assert.strictEqual(door.released.at(-1), `freed-${name}`)
        assert.strictEqual((yield* create({ name: "fixed" }, `freed-${name}`)).status, 201)
      }
    })
  )

  it.effect("asks for no key when the body is refused, so the key stays free A-IDEM-04", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create({ name: "" }, "unspent")).status, 400)
      assert.isUndefined((yield* lastAsked)?.idempotency)
      assert.strictEqual((yield* create({ name: "a" }, "unspent")).status, 201)
    })
  )

  it.effect("asks admission again after losing the race for a key, without a second token A-IDEM-05", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.racesLost = 2
      const before = door.asked.length
      assert.strictEqual((yield* create({ name: "a" }, "raced")).status, 201)
      assert.deepStrictEqual(
        door.asked.slice(before).map((input) => input.rate),
        ["write", undefined, undefined]
      )
    })
  )

  it.effect("never shows the lost race outside A-IDEM-07", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.racesLost = 99
      const before = door.asked.length
      const { status, json } = yield* create({ name: "a" }, "always-lost")
      assert.deepStrictEqual([status, json.error.code], [409, "idempotency_key_in_progress"])
      assert.strictEqual(door.asked.length - before, 4)
      door.racesLost = 0
    })
  )
})
