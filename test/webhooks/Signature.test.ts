import { createHmac, webcrypto } from "node:crypto"
import { type EnvelopeFacts, envelopeText } from "@carteiro/runtime/outbox/EventText.ts"
import { sign, signatureHeaders, signaturePreview } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { SignaturePreview } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const secret = `whsec_${"A".repeat(43)}`
const id = "evt_01kah7v3m8q6x2r9d4t5w0y1z3"
const event: EnvelopeFacts = {
  type: "message.received",
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  environment: "sandbox",
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  data: { content: { text: "olá ☕" } }
}
const rawBody = (facts: EnvelopeFacts) => envelopeText(id, facts)
const envelope = (facts: EnvelopeFacts) => JSON.parse(rawBody(facts))

describe("Signature", () => {
  it("is HMAC-SHA256 of timestamp, dot and raw body, keyed with the whole secret A-SIG-10", () => {
    const body = rawBody(event)
    const expected = createHmac("sha256", Buffer.from(secret, "utf8"))
      .update(`1767323045.${body}`, "utf8")
      .digest("hex")
    assert.strictEqual(sign(secret, 1_767_323_045, body), expected)
  })

  it("verifies against the exact bytes with another implementation A-SIG-11", async () => {
    const bytes = new TextEncoder().encode(rawBody(event))
    const key = await webcrypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"]
    )
    const signed = Buffer.concat([Buffer.from("1767323045."), bytes])
    const signature = Buffer.from(sign(secret, 1_767_323_045, bytes), "hex")
    assert.isTrue(await webcrypto.subtle.verify("HMAC", key, signature, signed))
  })

  it("is 64 lowercase hex characters and the same for text and its bytes A-SIG-09", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(), (body, timestamp) => {
        const signature = sign(secret, timestamp, body)
        assert.match(signature, /^[0-9a-f]{64}$/)
        assert.strictEqual(signature, sign(secret, timestamp, new TextEncoder().encode(body)))
      })
    )
  })

  it("sends the event id and whole epoch seconds in the headers A-SIG-07 A-SIG-08", () => {
    const headers = signatureHeaders(secret, id, 1_767_323_045_999, rawBody(event))
    assert.deepStrictEqual(headers, {
      "svc-webhook-id": id,
      "svc-webhook-timestamp": "1767323045",
      "svc-webhook-signature": sign(secret, 1_767_323_045, rawBody(event))
    })
  })

  it("previews exactly what a delivery would send A-LSN-19 A-LSN-20", () => {
    const body = rawBody(event)
    const preview = signaturePreview(secret, id, 1_767_323_045_999, body)
    assert.isTrue(Schema.is(SignaturePreview)(preview))
    assert.strictEqual(preview.raw_body, body)
    assert.strictEqual(preview.timestamp, preview.headers["svc-webhook-timestamp"])
    assert.strictEqual(preview.signature, preview.headers["svc-webhook-signature"])
    assert.deepStrictEqual(preview.headers, signatureHeaders(secret, id, 1_767_323_045_999, body))
  })

  it("signs one event differently for two registrations of one URL A-SIG-23", () => {
    assert.notStrictEqual(sign(secret, 1, "{}"), sign(`whsec_${"B".repeat(43)}`, 1, "{}"))
  })
})

describe("Envelope", () => {
  it("carries id, type, created_at, environment, trace_id and data and nothing else A-SIG-01 A-SIG-06", () => {
    assert.deepStrictEqual(Object.keys(envelope(event)), [
      "id",
      "type",
      "created_at",
      "environment",
      "trace_id",
      "data"
    ])
    assert.strictEqual(envelope(event).created_at, "2026-01-02T03:04:05.006Z")
  })

  it("carries the business time of payment events A-SIG-04", () => {
    const paid = envelope({ ...event, type: "payment.paid", occurred_at: Date.UTC(2026, 0, 1) })
    assert.strictEqual(paid.occurred_at, "2026-01-01T00:00:00.000Z")
    assert.notProperty(envelope(event), "occurred_at")
  })

  it("is byte-stable, fits a text column and reads back unchanged A-SIG-02 A-SIG-11", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (data) => {
        const body = rawBody({ ...event, data })
        assert.strictEqual(body, rawBody({ ...event, data }))
        assert.notInclude(body, "\0")
        assert.strictEqual(Buffer.from(body, "utf8").toString("utf8"), body)
        assert.strictEqual(JSON.stringify(JSON.parse(body)), body)
      }),
      { numRuns: 50 }
    )
  })

  it("keeps NUL and unpaired surrogates of customers as escapes", () => {
    const body = rawBody({ ...event, data: { text: "a\0b\ud800" } })
    assert.include(body, "a\\u0000b\\ud800")
  })
})
