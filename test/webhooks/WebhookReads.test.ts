import { envelopeText } from "@carteiro/runtime/outbox/EventText.ts"
import {
  activate,
  disable,
  type HealthFact,
  newHealth,
  recordDelivery
} from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import { readEndpoint } from "@carteiro/runtime/webhooks/endpoint/EndpointRead.ts"
import { readWebhookEvent, type WebhookEventRow } from "@carteiro/runtime/webhooks/log/WebhookEventRead.ts"
import { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"

const ulid = "01kah7v3m8q6x2r9d4t5w0y1z3"
const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const strict = { onExcessProperty: "error" } as const
const failed: HealthFact = { outcome: "failed", at, status_code: 503, failure_class: "server_error" }
const broken = Array.from({ length: 20 }).reduce<typeof newHealth>((state) => recordDelivery(state, failed), newHealth)

describe("EndpointRead", () => {
  const row = {
    id: `we_${ulid}`,
    url: "https://hooks.example.com/in",
    description: null,
    subscribed_events: ["message.received"],
    created_at: at,
    updated_at: at
  }

  it.each([
    ["new", newHealth],
    ["breaker-disabled", broken],
    ["on probation", activate(broken)],
    ["manually disabled", disable(broken)]
  ])("shows a %s endpoint with exactly the members of the contract A-WHE-01..11", (_, health) => {
    const read = readEndpoint({ ...row, health }, "sandbox")
    assert.deepStrictEqual(Schema.decodeUnknownSync(WebhookEndpoint, strict)(read), read)
  })

  it("never shows counters A-WHE-09", () => {
    assert.notMatch(JSON.stringify(readEndpoint({ ...row, health: broken }, "production")), /"failures"|probation_due/)
  })
})

describe("WebhookEventRead", () => {
  const facts = {
    type: "payment.paid",
    at,
    occurred_at: at - 1,
    environment: "sandbox",
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    data: { amount: "1.0000" }
  } as const
  const envelope = envelopeText(`evt_${ulid}`, facts)
  const attempt = {
    id: `att_${ulid}`,
    status: "failed" as const,
    attempt: 1,
    status_code: null,
    failure_class: "timeout" as const,
    response_body_redacted: null,
    error_message: "connect_timeout",
    next_retry_at: at + 5_000,
    created_at: at,
    attempted_at: at + 1,
    duration_ms: 5_000
  }
  const row: WebhookEventRow = {
    id: `whe_${ulid}`,
    endpoint_id: `we_${ulid}`,
    type: facts.type,
    source_type: "payment_request",
    source_id: "pay_1",
    envelope,
    status: "pending",
    trace_id: facts.trace_id,
    created_at: at,
    attempts: [
      { ...attempt, attempt: 2, status: "pending", failure_class: null, error_message: null, next_retry_at: null },
      attempt
    ]
  }

  it("shows the envelope as delivered and attempts oldest first A-WHV-01 A-WHV-04 A-WHV-05..10", () => {
    const read = readWebhookEvent(row)
    assert.deepStrictEqual(Schema.decodeUnknownSync(WebhookEvent, strict)(read), read)
    assert.strictEqual(JSON.stringify(read.payload), envelope)
    assert.deepStrictEqual(
      read.attempts.map((each) => each.attempt),
      [1, 2]
    )
    assert.deepInclude(read.attempts[0], { attempted_at: "2026-01-02T03:04:05.007Z", duration_ms: 5_000 })
    assert.strictEqual(read.attempts[0]?.next_retry_at, "2026-01-02T03:04:10.006Z")
  })

  it("shows a cleared payload and a deleted endpoint as null A-WHV-03", () => {
    const read = readWebhookEvent({ ...row, envelope: null, endpoint_id: null })
    assert.isNull(read.payload)
    assert.isNull(read.endpoint_id)
    assert.isTrue(Schema.is(WebhookEvent)(read))
  })
})
