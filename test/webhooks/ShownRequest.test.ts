import { replacement } from "@carteiro/runtime/telemetry/Redaction.ts"
import { sign } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { signStandard } from "@carteiro/runtime/webhooks/endpoint/StandardSignature.ts"
import { maskEvent, showRequest } from "@carteiro/runtime/webhooks/log/ShownRequest.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "vitest"

const envelope = jsonText({
  id: "evt_1",
  type: "message.received",
  data: { text: "Olá", note: null, tags: ["a"] }
})
const at = Date.parse("2026-01-01T00:00:07.900Z")
const present = `whsec_${Buffer.alloc(32, 1).toString("base64")}`
const previous = { secret: `whsec_${Buffer.alloc(32, 2).toString("base64")}`, until: at }

describe("ShownRequest", () => {
  it("shows the headers as sent, signed over the sent bytes A-SIG-05..11", () => {
    const { body, headers } = showRequest(envelope, { signing: "whsec_a", standard: { present, previous } }, at)
    assert.deepStrictEqual(headers, {
      "content-type": "application/json",
      "user-agent": "svc-webhooks/1",
      "svc-webhook-id": "evt_1",
      "svc-webhook-timestamp": String(Math.floor(at / 1000)),
      "svc-webhook-signature": sign("whsec_a", Math.floor(at / 1000), envelope),
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at / 1000)),
      "webhook-signature": signStandard(present, "evt_1", Math.floor(at / 1000), envelope)
    })
    assert.deepStrictEqual(JSON.parse(body), JSON.parse(envelope))
  })

  it("leaves the signature out once the endpoint is deleted A-WHE-34", () => {
    const { headers } = showRequest(envelope, undefined, at)
    assert.notProperty(headers, "svc-webhook-signature")
    assert.notProperty(headers, "webhook-signature")
  })

  it("masks members that an event declares for its receiver, and credentials everywhere (gaps-1 H)", () => {
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
