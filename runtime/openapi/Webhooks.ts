import type { Json } from "./Json.ts"

/** One event type a delivery can carry. */
export interface EventDescription {
  readonly type: string
  readonly description?: string
  /** JSON Schema of the envelope's `data`; any object when it is left out. */
  readonly data?: Json
}

/** The `webhooks` member of the description: one signed POST per event type. Events, "Envelope" */
export const webhooksOf = (events: ReadonlyArray<EventDescription>): Json =>
  Object.fromEntries(events.map((event) => [event.type, { post: delivery(event) }]))

const delivery = (event: EventDescription): Json => ({
  operationId: `webhook.${event.type}`,
  summary: event.description ?? `${event.type} happened.`,
  security: [],
  parameters: [
    header("svc-webhook-id", "The event's id; the same for every attempt.", { type: "string" }),
    header("svc-webhook-timestamp", "Epoch seconds of the attempt.", { type: "string" }),
    header("svc-webhook-signature", "Lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>` under the signing secret.", {
      type: "string",
      pattern: "^[0-9a-f]{64}$"
    })
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            id: { type: "string", description: "Unique; dedupe on it." },
            type: { type: "string", const: event.type },
            created_at: { type: "string", format: "date-time" },
            ...(isPayment(event) ? { occurred_at: { type: "string", format: "date-time" } } : {}),
            environment: { type: "string", enum: ["sandbox", "production"] },
            trace_id: { type: "string" },
            data: event.data ?? { type: "object" }
          },
          required: [
            "id",
            "type",
            "created_at",
            ...(isPayment(event) ? ["occurred_at"] : []),
            "environment",
            "trace_id",
            "data"
          ]
        }
      }
    }
  },
  responses: { "2XX": { description: "Taken. Any other status, a redirect or a timeout counts as a failed attempt." } }
})

/** Payment events carry the time of business too. A-SIG-04 */
const isPayment = ({ type }: EventDescription): boolean => type.startsWith("payment.")

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema
})
