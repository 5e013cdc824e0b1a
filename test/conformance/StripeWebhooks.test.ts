import { stripeWebhooks } from "@carteiro/provider-stripe/StripeWebhooks.ts"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import Stripe from "stripe"

const now = 1_767_225_600
const secret = "whsec_first"
const secrets = [Redacted.make(secret), Redacted.make("whsec_second")]

const bytesOf = (event: object) => Buffer.from(JSON.stringify(event))
const body = bytesOf({ id: "evt_1", type: "payment_intent.succeeded" })

const isSigned = (header: unknown, at = now, text: Uint8Array = body) =>
  stripeWebhooks.isSigned({ "stripe-signature": header as string }, text, secrets, at * 1000)

/** The header that the vendor's own client makes. */
const signed = (by = secret, timestamp = now, payload = body.toString()) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: by, timestamp })

describe("Webhooks of Stripe", () => {
  it("are taken as the official client signs them, by either secret of a rotation (gaps-3 G Inbound provider webhooks)", () => {
    assert.isTrue(isSigned(signed()))
    assert.isTrue(isSigned(signed("whsec_second")))
    const [t, old] = signed("whsec_gone").split(",")
    assert.isTrue(isSigned(`${t},${old},${signed().split(",")[1]},v0=${"0".repeat(64)}`))
    assert.isTrue(isSigned(signed(), now + 300))
  })

  it("are refused unsigned, changed, signed by others, too old or of the future", () => {
    for (const header of [undefined, "", "t=1", signed("whsec_other"), signed().replace("v1=", "v0=")]) {
      assert.isFalse(isSigned(header), String(header))
    }
    assert.isFalse(isSigned(signed(), now, Buffer.concat([body, Buffer.from(" ")])))
    assert.isFalse(isSigned(signed(), now + 301))
    assert.isFalse(isSigned(signed(), now - 301))
    assert.isFalse(stripeWebhooks.isSigned({ "x-provider-signature": signed() }, body, secrets, now * 1000))
  })

  it("name a charge by our id, or by the processor's where they are about a refund or a dispute", () => {
    const read = (object: object) =>
      stripeWebhooks.read(bytesOf({ id: "evt_1", type: "x", created: now, data: { object } }))
    assert.deepStrictEqual(read({ object: "payment_intent", id: "pi_1", metadata: { external_id: "ctu_1" } }), {
      id: "evt_1",
      type: "x",
      created_at: now * 1000,
      data: { id: "pi_1", external_id: "ctu_1" }
    })
    const charge = { object: "charge", id: "ch_1", payment_intent: "pi_1", metadata: { external_id: "ctu_1" } }
    assert.deepStrictEqual(read(charge).data, { id: "pi_1", external_id: "ctu_1" })
    const dispute = { object: "dispute", id: "dp_1", charge: "ch_1", payment_intent: "pi_1", metadata: {} }
    assert.deepStrictEqual(read(dispute).data, { id: "pi_1", external_id: undefined })
    const refund = { object: "refund", id: "re_1", payment_intent: { id: "pi_1" } }
    assert.deepStrictEqual(read(refund).data, { id: "pi_1", external_id: undefined })
  })

  it("in any other form are events without content", () => {
    const nothing = { id: undefined, external_id: undefined }
    for (const text of ["", "[]", "null", "no JSON", '{"id":7,"data":{"object":null}}', '{"data":{"object":[]}}']) {
      const event = stripeWebhooks.read(Buffer.from(text))
      assert.deepStrictEqual([event.id, event.data], [undefined, nothing], text)
    }
  })
})
