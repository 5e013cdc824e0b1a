import { stringifyInSlices } from "@carteiro/http-edge/Json.ts"
import { atOnce, sliceBytes } from "@carteiro/owners/Slices.ts"
import { makeSecrets } from "@carteiro/secrets/Secrets.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { canonicalJson, fingerprints } from "../../packages/http-edge/json/CanonicalJson.ts"

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)])
  )
}

describe("CanonicalJson", () => {
  const secrets = makeSecrets([new Uint8Array(32)])
  const anyJson = fc.jsonValue({ stringUnit: "binary" })

  it("writes the examples of RFC 8785", () => {
    const numbers = JSON.parse("[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]")
    assert.strictEqual(canonicalJson(numbers), "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]")
    const text = JSON.parse('"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"')
    assert.strictEqual(canonicalJson(text), '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"')
    const keys = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 }
    assert.strictEqual(
      canonicalJson(keys),
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}'
    )
    assert.strictEqual(canonicalJson([null, true, false, {}, []]), "[null,true,false,{},[]]")
  })

  it("means the same value: parsing the text gives it back", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        assert.deepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
      })
    )
  })

  it("does not depend on key order, and reading it again changes nothing", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value)
        assert.strictEqual(canonicalJson(shuffled(value)), text)
        assert.strictEqual(canonicalJson(JSON.parse(text)), text)
      })
    )
  })

  it("gives unpaired surrogates and endless numbers a text of their own", () => {
    assert.strictEqual(canonicalJson(JSON.parse('{"\\ud800":"\\udfff"}')), '{"\\ud800":"\\udfff"}')
    assert.notStrictEqual(canonicalJson(JSON.parse("[1e999]")), canonicalJson([null]))
  })

  it("treats keys of Object.prototype as ordinary keys", () => {
    const body = JSON.parse('{"__proto__":{"b":1},"constructor":2}')
    assert.strictEqual(canonicalJson(body), '{"__proto__":{"b":1},"constructor":2}')
  })

  it("fingerprints by path and value, an absent field unlike an explicit null (gaps-1 B What same body means)", () => {
    const of = (path: string, body: unknown) => fingerprints(secrets, path, body)[0]
    assert.strictEqual(of("/v1/a", JSON.parse('{"x":1, "y":2.0}')), of("/v1/a", JSON.parse('{"y":2,"x":1e0}')))
    assert.notStrictEqual(of("/v1/a", { x: null }), of("/v1/a", {}))
    assert.notStrictEqual(of("/v1/a", {}), of("/v1/b", {}))
    assert.notStrictEqual(of("/v1/a", undefined), of("/v1/a", null))
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        assert.strictEqual(of("/p", a) === of("/p", b), canonicalJson(a) === canonicalJson(b))
        assert.strictEqual(of("/p", shuffled(a)), of("/p", a))
      })
    )
  })
})

describe("A long text", () => {
  const long = fc.constantFrom("é".repeat(70_000), "a😀".repeat(40_000), "\ud800x".repeat(40_000))
  const anyValue = fc.oneof(fc.jsonValue({ stringUnit: "binary" }), long)
  const value = fc.dictionary(fc.string(), fc.oneof(anyValue, fc.array(anyValue, { maxLength: 100 })))

  it("is written a slice at a time as it is at once", () => {
    fc.assert(
      fc.property(value, (written) => {
        assert.strictEqual(atOnce(stringifyInSlices(written)), JSON.stringify(written))
      })
    )
    const absent = { a: undefined, b: Array(100).fill({ c: undefined, d: [1] }) }
    assert.strictEqual(atOnce(stringifyInSlices(absent)), JSON.stringify(absent))
  })

  it("gives the event loop back while it is written, however it nests", () => {
    const nested = {
      screens: Array.from({ length: 50 }, (_, n) => ({ n, children: Array(200).fill({ label: "x".repeat(90) }) }))
    }
    const work = stringifyInSlices({ nested, text: "y".repeat(1_000_000) })
    let turns = 1
    let step = work.next()
    for (; step.done !== true; step = work.next()) turns++
    assert.isBelow(step.value.length / turns, 2 * sliceBytes)
  })
})
