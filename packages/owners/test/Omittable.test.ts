import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { batch } from "../Owner.ts"
import { entities } from "../protocol/Protocol.ts"
import { plainRefusal } from "./PlainRefusals.ts"

const Item = Schema.Struct({
  id: Schema.String,
  claim: Schema.UndefinedOr(
    Schema.Struct({ key: Schema.String, older: Schema.UndefinedOr(Schema.Array(Schema.String)) })
  ),
  body: Schema.Union([
    Schema.Struct({ type: Schema.Literal("text"), reply_to: Schema.UndefinedOr(Schema.String) }),
    Schema.Struct({ type: Schema.Literal("none") })
  ]),
  parts: Schema.Array(Schema.Struct({ at: Schema.UndefinedOr(Schema.Number) })),
  named: Schema.Record(Schema.String, Schema.UndefinedOr(Schema.String))
})
const operations = { Do: batch(Item, Item) }
const { payloadSchema } = entities("Omitting", operations)({ codec: plainRefusal }).protocol.requests.get("Do") as {
  readonly payloadSchema: Schema.Codec<unknown, unknown>
}
const payload = Schema.toCodecJson(payloadSchema)

/** What the runtime library's RPC makes of a message: JSON, read at another node. */
const overRpc = (items: ReadonlyArray<unknown>): unknown =>
  Schema.decodeUnknownSync(payload)(JSON.parse(JSON.stringify(Schema.encodeSync(payload)({ items }))))

const whole = { id: "a", body: { type: "none" }, parts: [], named: {} }

describe("A message that came over a link and travels on by the runtime library's RPC", () => {
  it.each([
    ["a member that is undefined", { ...whole, claim: undefined }],
    ["a member within a member", { ...whole, claim: { key: "k", older: undefined } }],
    ["a member of one of several shapes", { ...whole, claim: undefined, body: { type: "text", reply_to: undefined } }],
    ["a member of an element", { ...whole, claim: undefined, parts: [{ at: undefined }, { at: 1 }] }],
    ["a key of a record", { ...whole, claim: undefined, named: { a: "b", c: undefined } }]
  ])("may lack %s, as JSON left it out", (_, item) => {
    const linked = JSON.parse(JSON.stringify(item))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(overRpc([linked]))), { items: [linked] })
    assert.deepStrictEqual(JSON.parse(JSON.stringify(overRpc([item]))), { items: [linked] })
  })

  it("still has what its schema asks for", () => {
    assert.throws(() => overRpc([{ ...whole, id: undefined }]))
    assert.throws(() => overRpc([{ ...whole, claim: { older: ["a"] } }]))
  })
})
