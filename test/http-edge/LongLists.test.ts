import { atOnce } from "@carteiro/owners/Slices.ts"
import { makeSecrets } from "@carteiro/secrets/Secrets.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { bodyDecoder, isRefusal, sliceDecoder } from "../../packages/http-edge/decoding/Decoder.ts"
import { fingerprints, fingerprintsInSlices } from "../../packages/http-edge/json/CanonicalJson.ts"

const options = { code: "invalid_test_request", strict: false }
const item = Schema.Struct({ to: Schema.String })
const body = (list: Schema.Codec<ReadonlyArray<typeof item.Type>>) =>
  Schema.Struct({
    first: Schema.String,
    list: Schema.optionalKey(Schema.NullOr(list)),
    last: Schema.optionalKey(Schema.String)
  }).check(Schema.makeFilter(({ list }) => (list ? undefined : { path: ["list"], issue: "required here" })))

const many = 3000
const inSlices = sliceDecoder(body(Schema.Array(item).check(Schema.isMaxLength(many))), options)
/** Without a bound nothing is decoded in slices: the same contract, read at once. */
const whole = bodyDecoder(body(Schema.Array(item)), options)

const items = (count: number, broken: ReadonlyArray<number> = []) =>
  Array.from({ length: count }, (_, n) => (broken.includes(n) ? { to: n } : { to: `+${n}` }))

const read = (input: unknown) => {
  if (inSlices === undefined) throw new Error("a list of thousands is read in slices")
  return atOnce(inSlices(input))
}

const said = (decoded: unknown) =>
  isRefusal(decoded) ? { code: decoded._tag, param: decoded.param, message: decoded.message } : decoded

describe("A body with a list of thousands", () => {
  it("is decoded to what decoding it at once gives, whatever is wrong with it", () => {
    const faults: ReadonlyArray<unknown> = [
      { first: "a", list: items(1500), last: "z" },
      { first: "a", list: items(1500, [1400, 1401]), last: "z" },
      { first: "a", list: items(1500, [3, 1400]), last: "z" },
      { first: 1, list: items(1500, [1400]), last: "z" },
      { first: "a", list: items(1500, [1400]), last: 1 },
      { first: "a", list: items(1500), last: 1 },
      { first: "a", list: items(300, [299]) },
      { first: "a", list: items(3) },
      { first: "a", list: null },
      { first: "a" },
      { first: "a", list: "no list" },
      [],
      null
    ]
    for (const input of faults) assert.deepStrictEqual(said(read(input)), said(whole(input)))
  })

  it("with one item too many is refused for its length, and for an item first", () => {
    const over = read({ first: "a", list: items(many + 1) })
    assert.isTrue(isRefusal(over) && over.param === "list" && over._tag === options.code)
    const broken = read({ first: "a", list: items(many + 1, [2999]) })
    assert.isTrue(isRefusal(broken) && broken.param === "list.2999.to")
    assert.isFalse(isRefusal(read({ first: "a", list: items(many) })))
  })

  it("has the fingerprint of the same body read at once", () => {
    const secrets = makeSecrets([new Uint8Array(32).fill(7)])
    const value = { z: [1, { b: "é", a: null }], list: items(1000), name: "x", nested: { list: items(600) } }
    assert.deepStrictEqual(
      atOnce(fingerprintsInSlices(secrets, "/v1/batches", value)),
      fingerprints(secrets, "/v1/batches", value)
    )
    assert.deepStrictEqual(
      atOnce(fingerprintsInSlices(secrets, "/v1/batches", undefined)),
      fingerprints(secrets, "/v1/batches", undefined)
    )
  })
})
