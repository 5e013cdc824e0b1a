import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"

/** Body of POST /v1/webhook-endpoints/{id}/recover. */
export const RecoverWebhookEndpoint = Schema.Struct({
  from: TimestampInput.annotate({ description: "Events from this instant on; RFC 3339, not in the future." }),
  to: nullableOptional(
    TimestampInput.annotate({
      description: "Events up to this instant, not before from; now when left out or in the future."
    })
  )
}).annotate({ examples: [{ from: "2025-12-31T08:00:00Z", to: "2025-12-31T14:30:00Z" }] })
export type RecoverWebhookEndpoint = typeof RecoverWebhookEndpoint.Type

/** The response to a recovery: the number of missed events, and the part of the span that is no longer kept. */
export const WebhookRecovery = Schema.Struct({
  id: id("wrc"),
  object: Schema.Literal("webhook_recovery"),
  webhook_endpoint_id: id("we"),
  status: Schema.Literal("pending").annotate({
    description: "Status of the recovery: deliveries are made one after another from now on."
  }),
  from: Timestamp.annotate({
    description:
      "Start of the recovered span: not before the oldest event kept, nor before the endpoint's registration."
  }),
  to: Timestamp.annotate({ description: "End of the recovered span." }),
  missed: Schema.Int.annotate({ description: "Events to deliver: never_sent and failed together." }),
  never_sent: Schema.Int.annotate({ description: "Events without a delivery to this endpoint." }),
  failed: Schema.Int.annotate({ description: "Events whose delivery failed permanently; each gets one more attempt." }),
  counted_to: Timestamp.annotate({
    description: "End of the counted events; earlier than to when the span holds more than 20,000 events."
  }),
  older: Schema.NullOr(
    Schema.Struct({ from: Timestamp, to: Timestamp }).annotate({
      description: "The part of the requested span whose events are no longer kept and cannot be recovered."
    })
  ).annotate({ description: "Null when the whole span is recovered." }),
  trace_id: TraceId
}).annotate({ identifier: "WebhookRecovery" })
export type WebhookRecovery = typeof WebhookRecovery.Type
