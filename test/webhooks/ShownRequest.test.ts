import { replacement } from "@carteiro/runtime/telemetry/Redaction.ts"
import { sign } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { maskEvent, showRequest } from "@carteiro/runtime/webhooks/log/ShownRequest.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, describe, it } from "vitest"

const envelope = JSON.stringify({
  id: "evt_1",
  type: "message.received",
  data: { text: "Olá", note: null, tags: ["a"] }
})
const at = Date.parse("2026-01-01T00:00:07.900Z")

describe("ShownRequest", () => {
  it("shows the headers as they were sent, signed over the bytes that were A-SIG-05..11", () => {
    const { body, headers } = showRequest(envelope, "whsec_a", at)
    assert.deepStrictEqual(headers, {
      "content-type": "application/json",
      "user-agent": "svc-webhooks/1",
      "svc-webhook-id": "evt_1",
      "svc-webhook-timestamp": String(Math.floor(at / 1000)),
      "svc-webhook-signature": sign("whsec_a", Math.floor(at / 1000), envelope)
    })
    assert.deepStrictEqual(JSON.parse(body), JSON.parse(envelope))
  })

  it("leaves the signature out once the endpoint is deleted A-WHE-34", () => {
    assert.notProperty(showRequest(envelope, undefined, at).headers, "svc-webhook-signature")
  })

  it("masks what an event declares as its receiver's, and credentials wherever they stand (gaps-1 H)", () => {
    for (const { secrets, type } of eventCatalog) {
      for (const secret of secrets) {
        const shown = maskEvent({ type, ...{ data: { [secret]: "https://chat.example/AbC" } } })
        assert.deepStrictEqual(shown, { type, data: { [secret]: replacement } })
      }
    }
    assert.isTrue(eventCatalog.some(({ secrets }) => secrets.length > 0))
    const text = `Bearer ${"a".repeat(12)}`
    const shown = maskEvent({ type: "message.received", ...{ data: { password: "hunter2", list: [{ text }] } } })
    assert.deepStrictEqual(shown, {
      type: "message.received",
      data: { password: replacement, list: [{ text: replacement }] }
    })
  })
})
