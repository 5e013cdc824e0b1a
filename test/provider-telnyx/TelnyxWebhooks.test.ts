import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import Telnyx from "telnyx"

const now = Date.parse("2026-01-01T00:00:00Z")

/** A key pair, its public half as the vendor's portal shows it. */
const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  return { privateKey, shown: Buffer.from(x, "base64url").toString("base64") }
}

const body = Buffer.from('{"data":{"event_type":"message.received"}}')

const headersOf = (privateKey: KeyObject, at = now, of: Buffer = body) => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), of]), privateKey).toString("base64")
  return { "telnyx-timestamp": timestamp, "telnyx-signature-ed25519": signature }
}

describe("webhooks of Telnyx", () => {
  it('are taken under the account\'s public key, or either of two while it rotates gaps-3 G "Inbound provider webhooks"', () => {
    const [first, second, stranger] = [pair(), pair(), pair()]
    const secrets = [Redacted.make(first.shown), Redacted.make(second.shown)]
    assert.isTrue(telnyxWebhooks.isSigned(headersOf(first.privateKey), body, secrets, now))
    assert.isTrue(telnyxWebhooks.isSigned(headersOf(second.privateKey), body, secrets, now))
    assert.isFalse(telnyxWebhooks.isSigned(headersOf(stranger.privateKey), body, secrets, now))
    assert.isFalse(telnyxWebhooks.isSigned(headersOf(first.privateKey), Buffer.from("{}"), secrets, now))
    for (const minutes of [-6, 6]) {
      const headers = headersOf(first.privateKey, now + minutes * 60_000)
      assert.isFalse(telnyxWebhooks.isSigned(headers, body, secrets, now), "too old or too new")
    }
  })

  it("without whole headers, or under a secret that is no key, are refused", () => {
    const { privateKey, shown } = pair()
    const whole = headersOf(privateKey)
    const secrets = [Redacted.make(shown)]
    for (const headers of [
      {},
      { ...whole, "telnyx-timestamp": undefined },
      { ...whole, "telnyx-timestamp": "yesterday" },
      { ...whole, "telnyx-signature-ed25519": "AAAA" },
      { ...whole, "telnyx-signature-ed25519": `${"A".repeat(86)}==` }
    ]) {
      assert.isFalse(telnyxWebhooks.isSigned(headers, body, secrets, now))
    }
    for (const secret of ["", "whsec_1", "A".repeat(1024)]) {
      assert.isFalse(telnyxWebhooks.isSigned(whole, body, [Redacted.make(secret)], now))
    }
  })

  it("are signed as the official client verifies them", async () => {
    const { privateKey, shown } = pair()
    const client = new Telnyx({ apiKey: "KEY", publicKey: shown })
    const headers = headersOf(privateKey, Date.now())
    const event = await client.webhooks.unwrap(String(body), { headers })
    assert.deepStrictEqual(event, JSON.parse(String(body)))
  })

  it("a message is told with its number as the number's id, an order by our reference", () => {
    const read = (data: object) => telnyxWebhooks.read(Buffer.from(JSON.stringify({ data, meta: { attempt: 1 } })))
    const message = read({
      event_type: "message.received",
      id: "event-1",
      occurred_at: "2026-01-01T00:00:00.000Z",
      payload: {
        id: "message-1",
        direction: "inbound",
        from: { phone_number: "+15550000000" },
        to: [{ phone_number: "+5511999990001" }],
        text: "Your code is 123-456"
      },
      record_type: "event"
    })
    assert.deepStrictEqual(message, {
      id: "event-1",
      created_at: now,
      type: "sms.received",
      data: { number_id: "+5511999990001", to: "+5511999990001", text: "Your code is 123-456" }
    })
    const order = read({
      event_type: "number_order.complete",
      id: "event-2",
      payload: { id: "12ade33a", customer_reference: "pno_1", status: "success" }
    })
    assert.deepStrictEqual([order.type, order.data], ["order.updated", { id: "12ade33a", external_id: "pno_1" }])
    for (const bytes of [
      "",
      "[]",
      "null",
      '{"data":1}',
      '{"data":{"payload":{"to":{}},"event_type":"message.received"}}'
    ]) {
      assert.isUndefined(telnyxWebhooks.read(Buffer.from(bytes)).id)
    }
  })
})
