import { canonicalJson } from "@carteiro/http-edge/Json.ts"
import { webhooks } from "@carteiro/sdk"
import { isDigitNumber, parseExact } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const digits = "12345678901234567890123"
const customer = "+5511999998888"

it('integers of any length are written as they were read gaps-1 "Amendments of November 2026"', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.jsonValue(), (whole, other) => {
      const text = `{"a":[${JSON.stringify(other)},${whole}]}`
      assert.strictEqual(JSON.stringify(parseExact(text)), text)
    })
  )
  assert.isTrue(isDigitNumber(parseExact("9007199254740993")))
  assert.strictEqual(parseExact("9007199254740991"), 9007199254740991)
  assert.strictEqual(parseExact('"9007199254740993"'), "9007199254740993")
  assert.strictEqual(parseExact("1234567890123456.5"), 1234567890123456.5)
})

it('bodies that differ in the last digit of a long integer are not the same gaps-1 "Amendments of November 2026"', () => {
  const [one, other] = ["9007199254740992", "9007199254740993"].map((each) =>
    canonicalJson(parseExact(`{"a":${each}}`))
  )
  assert.deepStrictEqual([one, other], ['{"a":9007199254740992}', '{"a":9007199254740993}'])
})

it("the client keeps the digits of an event", async () => {
  const body = new TextEncoder().encode(`{"id":"evt_1","data":{"metadata":{"order":${digits}}}}`)
  const event = await webhooks.verify(body, await webhooks.sign(body, "whsec_a"), "whsec_a")
  assert.include(JSON.stringify(event), `"order":${digits}`)
})

it.layer(WholeProduct(), { excludeTestServices: true })("Metadata", (it) => {
  it.effect(
    'keep integers beyond 2^53 digit by digit, stored, read and in events gaps-1 "Amendments of November 2026"',
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { key } = acme.sandbox
        const { id } = yield* seedNumber(acme.sandbox)
        const inbound = { channel: "chatapp", from: customer, to: id, type: "text", text: { body: "Oi" } }
        yield* post("/v1/sandbox/inbound-messages", inbound, { key })
        const body = (order: string) =>
          `{"channel":"chatapp","sender":{"type":"chatapp_phone_number","id":"${id}"},"recipient":{"type":"phone_e164","id":"${customer}"},"message":{"type":"text","text":{"body":"Olá"}},"metadata":{"order":${order},"list":[-${order}]}}`
        const sent = yield* post("/v1/messages", body(digits), { key, idempotencyKey: "digits" })
        assert.strictEqual(sent.status, 202, sent.text)
        const again = yield* post("/v1/messages", body(digits), { key, idempotencyKey: "digits" })
        assert.strictEqual(again.body.id, sent.body.id)
        const other = yield* post("/v1/messages", body(digits.replace(/.$/, "4")), { key, idempotencyKey: "digits" })
        assert.strictEqual(other.body.error.code, "idempotency_key_conflict")
        const read = yield* get(`/v1/messages/${sent.body.id}`, { key })
        assert.include(read.text, `"metadata":{"order":${digits},"list":[-${digits}]}`)
        yield* turnBy(3000)
        const events = yield* get("/v1/webhook-events/listen?start_at=oldest", { key })
        assert.include(events.text, `"order":${digits}`)
      })
  )
})
