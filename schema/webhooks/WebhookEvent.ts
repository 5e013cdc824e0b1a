import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { IdempotencyKeyConflict, InvalidCursor } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { webhookTestEvent } from "./EventCatalog.ts"
import { FailureClass } from "./WebhookEndpoint.ts"
import {
  InvalidBulkWebhookResend,
  InvalidWebhookEventsQuery,
  PhoneServiceSuspended,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound,
  WebhookEventNotFound,
  WebhookEventPayloadUnavailable,
  WebhookTestNotResendable
} from "./WebhookErrors.ts"

/** Headers of every delivery and preview. A-SIG-07..09 */
export const SignatureHeaders = Schema.Struct({
  "svc-webhook-id": Schema.String.annotateKey({ description: "Id of the event; deduplicate by it." }),
  "svc-webhook-timestamp": Schema.String.annotate({ description: "Seconds since 1970." }),
  "svc-webhook-signature": Schema.String.annotate({
    description: "HMAC-SHA256 of timestamp, dot and raw body, as 64 lowercase hex characters."
  })
})
export type SignatureHeaders = typeof SignatureHeaders.Type

/** The request that a listener forwards unchanged, so that a local receiver can verify it. A-LSN-19, gaps-1 L */
export const SignaturePreview = Schema.Struct({
  raw_body: Schema.String.annotate({ description: "The body to send, byte for byte." }),
  timestamp: Schema.String.annotateKey({ description: "Seconds since 1970." }),
  signature: Schema.String.annotateKey({ description: "The signature of that body at that time." }),
  headers: SignatureHeaders.annotateKey({ description: "The headers to send with it." })
}).annotate({ identifier: "WebhookSignaturePreview" })
export type SignaturePreview = typeof SignaturePreview.Type

/** `pending`, then `delivered` or `failed`. A-WHV-02 */
export const WebhookEventStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  description: "pending while attempts continue, then delivered or failed."
})
export type WebhookEventStatus = typeof WebhookEventStatus.Type

const attemptFields = {
  id: id("att"),
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({ description: "Outcome of the attempt." }),
  attempt: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotateKey({
    description: "Number of the attempt; 1 for the first."
  }),
  status_code: Schema.NullOr(Schema.Int).annotate({ description: "Status of the receiver's response; null for none." }),
  failure_class: Schema.NullOr(FailureClass).annotate({ description: "Class of the failure, if known." }),
  response_body_redacted: Schema.NullOr(Schema.String).annotate({
    description: "Beginning of the receiver's response, without texts that look like secrets."
  }),
  error_message: Schema.NullOr(Schema.String).annotate({ description: "Reason of the failure in a sentence." }),
  next_retry_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the next attempt; null for none." }),
  created_at: Timestamp,
  attempted_at: Schema.NullOr(Timestamp).annotate({
    description: "Time at which the attempt was sent; null before that, and if it was never sent"
  }),
  duration_ms: Schema.NullOr(Schema.Int).annotate({ description: "Response time in milliseconds" })
}
const trace_id = TraceId

/** One attempt at delivering one event. A-WHV-05..10 */
export const WebhookAttempt = Schema.Struct(attemptFields).annotate({ identifier: "WebhookAttempt" })
export type WebhookAttempt = typeof WebhookAttempt.Type

/** One row of the delivery log: an event for one endpoint, its attempts oldest first. A-WHV-01..04 */
export const WebhookEvent = Schema.Struct({
  id: id("whe"),
  object: Schema.Literal("webhook_event"),
  endpoint_id: Schema.NullOr(Schema.String).annotate({ description: "Id of the endpoint; null once it is deleted." }),
  type: Schema.String.annotateKey({ description: "Type of the event." }),
  source_type: Schema.String.annotateKey({ description: "Kind of the resource, such as message." }),
  source_id: Schema.String.annotateKey({ description: "Id of the resource." }),
  payload: Schema.NullOr(Schema.Unknown).annotate({
    description: "The envelope as delivered; null once erasure or retention cleared it."
  }),
  status: WebhookEventStatus,
  trace_id: TraceId,
  created_at: Timestamp,
  attempts: Schema.Array(WebhookAttempt).annotate({ description: "Every attempt, oldest first." }),
  signature_preview: Schema.optionalKey(SignaturePreview).annotateKey({
    description: "Request that the receiver gets."
  })
}).annotate({ identifier: "WebhookEvent" })
export type WebhookEvent = typeof WebhookEvent.Type

/** A type filter: any text; an unknown type has no matches. gaps-1 K "event_type and event_types together" */
export const EventTypeFilter = text(1, 100).annotate({
  description: "A type of event; an unknown one matches nothing."
})

/** Both forms of the type filter; given together they are a union. `event_types` is repeated, also as `event_types[]`. A-WHV-12, A-WHV-13, A-LSN-09 */
export const eventTypeQuery = {
  event_type: Schema.optionalKey(EventTypeFilter),
  event_types: Schema.optionalKey(Schema.Array(EventTypeFilter)).annotate({
    description: "Several types; write the parameter once for each."
  })
}

/** Query of GET /v1/webhook-events. A-WHV-11..15 */
export const WebhookEventsQuery = {
  ...pageQuery(),
  ...eventTypeQuery,
  webhook_endpoint_id: Schema.optionalKey(Schema.String).annotate({ description: "Deliveries to this endpoint." }),
  status: Schema.optionalKey(WebhookEventStatus)
}

/** Body of POST /v1/webhook-events/bulk-resend; its selections are combined with AND. A-WHV-18, gaps-1 K */
export const BulkResend = Schema.Struct({
  webhook_event_ids: nullableOptional(
    Schema.UniqueArray(Schema.String)
      .check(Schema.isMinLength(1), Schema.isMaxLength(100))
      .annotate({ description: "Ids of deliveries, 1 to 100." })
  ),
  event_type: nullableOptional(
    EventTypeFilter.check(
      Schema.makeFilter((type: string) => type !== webhookTestEvent, { expected: "a type other than webhook.test" })
    )
  ),
  status: nullableOptional(WebhookEventStatus),
  limit: nullableOptional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "Maximum number of deliveries, 1 to 100."
    })
  )
})
  .annotate({ examples: [{ event_type: "message.failed", status: "failed", limit: 50 }] })
  .check(
    Schema.makeFilter(
      (body) => body.webhook_event_ids !== undefined || body.event_type !== undefined || body.status !== undefined,
      { expected: "at least one of webhook_event_ids, event_type and status" }
    )
  )
export type BulkResend = typeof BulkResend.Type

/** The response to a bulk resend: `requested` is always `enqueued` plus `skipped`. A-WHV-19 */
export const BulkResendResult = Schema.Struct({
  object: Schema.Literal("webhook_bulk_resend"),
  requested: Schema.Int.annotateKey({ description: "enqueued and skipped together." }),
  enqueued: Schema.Int.annotateKey({ description: "Number of deliveries that are sent again." }),
  skipped: Schema.Int.annotateKey({ description: "Number of deliveries that are not sent again." }),
  attempts: Schema.Array(WebhookAttempt).annotate({ description: "The attempts that are now due." }),
  trace_id
}).annotate({ identifier: "WebhookBulkResend" })

const eventRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["webhooks:read"],
  rate: "read",
  validation: InvalidWebhookEventsQuery.code,
  ...traits
})
const params = { webhook_event_id: pathId("whe") }

/** Routes of the delivery log of the calling key's environment. A-WHV */
export class WebhookEventsApi extends HttpApiGroup.make("webhookEvents")
  .annotate(OpenApi.Identifier, "webhooks.events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: WebhookEventsQuery,
      success: pageOf(WebhookEvent),
      error: [InvalidWebhookEventsQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, eventRoute({ strictQuery: true }))
      .annotate(OpenApi.Summary, "List webhook events")
      .annotate(OpenApi.Description, "Newest first. An unknown type or endpoint matches nothing."),
    HttpApiEndpoint.get("get", "/:webhook_event_id", {
      params,
      success: WebhookEvent,
      error: WebhookEventNotFound.wire
    })
      .annotate(Traits, eventRoute({}))
      .annotate(OpenApi.Summary, "Read a webhook event with its attempts")
      .annotate(
        OpenApi.Description,
        "One delivery of an event to one endpoint: its state, its payload and every attempt."
      ),
    HttpApiEndpoint.post("resend", "/:webhook_event_id/resend", {
      params,
      success: Schema.Struct({ ...attemptFields, trace_id }).pipe(HttpApiSchema.status(202)),
      error: [
        WebhookEventNotFound.wire,
        WebhookEndpointNotFound.wire,
        WebhookTestNotResendable.wire,
        WebhookEndpointDisabled.wire,
        WebhookEventPayloadUnavailable.wire,
        PhoneServiceSuspended.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(
        Traits,
        eventRoute({
          scopes: ["webhooks:write"],
          rate: "resend",
          idempotency: "optional",
          restrictedWithoutCredit: true
        })
      )
      .annotate(OpenApi.Summary, "Resend a webhook event")
      .annotate(
        OpenApi.Description,
        "Makes one extra attempt without automatic retry. For a pending event, the scheduled attempt becomes due now instead."
      ),
    HttpApiEndpoint.post("bulkResend", "/bulk-resend", {
      payload: BulkResend,
      success: BulkResendResult.pipe(HttpApiSchema.status(202)),
      error: [InvalidBulkWebhookResend.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(
        Traits,
        eventRoute({
          scopes: ["webhooks:write"],
          rate: "bulk_resend",
          validation: InvalidBulkWebhookResend.code,
          idempotency: "optional",
          strictBody: true,
          restrictedWithoutCredit: true
        })
      )
      .annotate(OpenApi.Summary, "Resend many webhook events")
      .annotate(
        OpenApi.Description,
        "Newest first. Ids that are unknown, foreign, filtered out or not resendable count as skipped."
      )
  )
  .prefix("/v1/webhook-events")
  .annotate(OpenApi.Title, "Webhook events")
  .annotate(OpenApi.Description, "The delivery log, and resends.") {}
