import type { SentRequest } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { maskEvents } from "../../outbox/EventMask.ts"
import type { EnvelopeText } from "../../outbox/EventText.ts"
import { isSensitiveKey, redactText, replacement } from "../../telemetry/Redaction.ts"
import { type EndpointSecrets, noSecrets } from "../endpoint/EndpointSecrets.ts"
import { deliveryHeaders } from "../endpoint/Signature.ts"

/** Returns the request of an attempt at that instant (epoch milliseconds); without secrets the signatures are left out. */
export const showRequest = (
  envelope: EnvelopeText,
  secrets: EndpointSecrets | undefined,
  attempted_at: number
): SentRequest => {
  const event = readJson(envelope)
  const masked = maskEvent(event)
  const signed = deliveryHeaders(secrets ?? noSecrets, event.id, attempted_at, envelope)
  const { "svc-webhook-signature": _, ...unsigned } = signed
  return {
    headers: secrets === undefined ? unsigned : signed,
    body: JSON.stringify(masked, null, 2),
    raw_body: JSON.stringify(masked) === JSON.stringify(event) ? envelope : null
  }
}

const maskSecrets = maskEvents(eventCatalog)

/**
 * Returns an event without the members that its declaration keeps for the receiver, and without credentials. gaps-1 H
 * "Redaction patterns"
 */
export const maskEvent = (event: { readonly type: string }): unknown => maskCredentials(maskSecrets(event.type, event))

const maskCredentials = (value: unknown): unknown => {
  if (typeof value === "string") return redactText(value).text
  if (Array.isArray(value)) return value.map(maskCredentials)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member !== null && isSensitiveKey(key) ? replacement : maskCredentials(member)
    ])
  )
}
