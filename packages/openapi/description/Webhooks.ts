import { type AnyEvent, envelopeOf, eventName } from "@carteiro/schema/conventions/Event.ts"
import type { Json } from "./Json.ts"

/**
 * Returns the schemas to which the `webhooks` member refers: each event's envelope, with its data. Events, "Envelope"
 */
export const envelopesOf = (events: ReadonlyArray<AnyEvent>) => events.map(envelopeOf)

/** Returns the `webhooks` member of the description: one signed POST per event type. Events, "Envelope" */
export const webhooksOf = (events: ReadonlyArray<AnyEvent>): Json =>
  Object.fromEntries(events.map((event) => [event.type, { post: delivery(event) }]))

const delivery = (event: AnyEvent): Json => ({
  operationId: `webhook.${event.type}`,
  summary: event.description,
  security: [],
  parameters: [
    header("svc-webhook-id", "The event's id; the same for every attempt.", { type: "string" }),
    header("svc-webhook-timestamp", "Epoch seconds of the attempt.", { type: "string" }),
    header("svc-webhook-signature", "Lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>` under the signing secret.", {
      type: "string",
      pattern: "^[0-9a-f]{64}$"
    }),
    header("webhook-id", "The event's id, as Standard Webhooks names it.", { type: "string" }),
    header("webhook-timestamp", "Epoch seconds of the attempt, as Standard Webhooks names them.", { type: "string" }),
    header(
      "webhook-signature",
      "Base64 HMAC-SHA256 of `<id>.<timestamp>.<raw body>` under the Standard Webhooks secret; two signatures, newest first, for 24 hours after a rotation.",
      { type: "string", pattern: "^v1,[0-9A-Za-z+/]{43}=( v1,[0-9A-Za-z+/]{43}=)?$" }
    )
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${eventName(event.type)}Event` } } }
  },
  responses: { "2XX": { description: "Taken. Any other status, a redirect or a timeout counts as a failed attempt." } }
})

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema
})
