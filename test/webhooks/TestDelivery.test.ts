import { testDelivery } from "@carteiro/runtime/webhooks/delivery/TestDelivery.ts"
import { assert, describe, it } from "vitest"

const endpoint = { environment_id: "env_1", environment: "sandbox", id: "we_1" } as const
const ids = { webhook_event_id: "whe_1", event_id: "evt_1", attempt_id: "att_1", trace_id: "1".repeat(32) }
const at = Date.parse("2026-01-01T00:00:00Z")

describe("TestDelivery", () => {
  it("sends the probe to its endpoint alone, due at once A-WHT-04, A-WHT-05", () => {
    const { attempt, event, place } = testDelivery(endpoint, ids, at)
    assert.deepStrictEqual(place, { environment_id: "env_1", endpoint_id: "we_1", webhook_event_id: "whe_1" })
    assert.deepStrictEqual(JSON.parse(event.payload), {
      id: "evt_1",
      type: "webhook.test",
      created_at: "2026-01-01T00:00:00.000Z",
      environment: "sandbox",
      trace_id: ids.trace_id,
      data: { webhook_endpoint_id: "we_1", message: "Test delivery" }
    })
    assert.deepStrictEqual(
      [event.source_id, attempt.attempt, attempt.status, attempt.due_at, attempt.explicit],
      ["we_1", 1, "pending", at, false]
    )
  })

  it("makes the probe of a recovery an explicit attempt, as a resend is", () => {
    assert.isTrue(testDelivery(endpoint, { ...ids, is_recovery: true }, at).attempt.explicit)
  })
})
