import { bodyDecoder } from "@carteiro/http-edge/Decoding.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SampleServer } from "./SampleServer.ts"
import { call } from "./Wire.ts"

/** A list of at most so many items, and how many of them were looked at. */
const countedList = (most: number) => {
  const seen = { items: 0 }
  const item = Schema.String.check(
    Schema.makeFilter((text) => {
      seen.items++
      return text.length < 5
    })
  )
  return {
    seen,
    schema: Schema.Struct({ tags: Schema.Array(item).check(Schema.isMaxLength(most)), to: Schema.String })
  }
}

const options = { code: "invalid_parcel_request", strict: true }

it("looks at no more items of a list than the contract allows, and one A-ERR-02", () => {
  const { schema, seen } = countedList(100)
  const decode = bodyDecoder(schema, options)
  assert.include(decode({ tags: Array(100_000).fill("a"), to: "b" }), { param: "tags" })
  // Once for the decision, once more for the sentence.
  assert.isAtMost(seen.items, 202)
  seen.items = 0
  assert.include(decode({ tags: Array(100_000).fill("too long"), to: "b" }), { param: "tags.0" })
  assert.isAtMost(seen.items, 202)
})

it("takes lists up to what the contract allows whole A-ERR-02", () => {
  const decode = bodyDecoder(countedList(100).schema, options)
  const whole = { tags: Array(100).fill("a"), to: "b" }
  assert.deepStrictEqual(decode(whole), whole)
  assert.include(decode({ ...whole, tags: Array(101).fill("a") }), { param: "tags" })
})

it("bounds the list that one shape of a union takes, and none that two take A-ERR-02", () => {
  const list = (most: number) => Schema.Array(Schema.String).check(Schema.isMaxLength(most))
  const schema = Schema.Struct({
    either: Schema.optionalKey(Schema.Union([list(2), list(4)])),
    maybe: Schema.optionalKey(Schema.NullOr(Schema.Struct({ names: list(2) })))
  })
  const decode = bodyDecoder(schema, options)
  const taken = { either: ["a", "b", "c", "d"], maybe: { names: ["a", "b"] } }
  assert.deepStrictEqual(decode(taken), taken)
  assert.include(decode({ maybe: { names: ["a", "b", "c"] } }), { param: "maybe.names" })
  assert.include(decode({ either: ["a", "b", "c", "d", "e"] }), { param: "either" })
})

it("names the first of a hundred thousand unknown members, and contract fields before them A-ERR-02", () => {
  const decode = bodyDecoder(countedList(100).schema, options)
  const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`x${n}`, n]))
  assert.include(decode({ ...unknown, tags: [], to: "b" }), { param: "x0" })
  assert.include(decode({ ...unknown, tags: [], to: 1 }), { param: "to" })
})

it.layer(SampleServer, { excludeTestServices: true })("The shape of a body", (it) => {
  const refusal = (body: string) =>
    Effect.map(call("POST /v1/parcels", { body }), ({ json, status }) => [status, json.error.code, json.error.message])
  const tooMany = [400, "http_exception", "The request body has more than 250000 values or 10000 different names."]

  it.effect("refuses more values than any contract takes before they are parsed A-ERR-22", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusal(`{"name":"a","labels":[${"1,".repeat(250_000)}1]}`), tooMany)
      assert.deepStrictEqual(yield* refusal(`{"name":"a","labels":[${"{},".repeat(125_000)}{}]}`), tooMany)
      assert.deepStrictEqual((yield* refusal(`{"name":"a","labels":[${"1,".repeat(200_000)}1]}`)).slice(0, 2), [
        400,
        "invalid_parcel_request"
      ])
    })
  )

  it.effect("refuses more different names than any contract takes, however often each comes A-ERR-22", () =>
    Effect.gen(function* () {
      const names = (count: number) => Array.from({ length: count }, (_, n) => `"\\"n${n}":"{,"`).join()
      assert.deepStrictEqual(yield* refusal(`{"name":"a",${names(10_001)}}`), tooMany)
      const repeated = `{${names(50)}},`.repeat(1000)
      assert.deepStrictEqual((yield* refusal(`{"name":"a","labels":[${repeated}{}]}`)).slice(0, 2), [
        400,
        "invalid_parcel_request"
      ])
    })
  )
})
