import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidWebhookEndpointRequest, WebhookEndpointNotFound } from "./WebhookErrors.ts"
import { WebhookAttempt } from "./WebhookEvent.ts"

const span = { from: Timestamp, to: Timestamp }

/** The events that an endpoint has missed since its outage began. */
export const WebhookGap = Schema.Struct({
  /** The first missed event; the beginning of the outage when none was missed. */
  from: Timestamp,
  never_sent: Schema.Int,
  failed: Schema.Int,
  counted_to: Timestamp,
  /** True when events after `counted_to` were not counted. */
  has_more: Schema.Boolean,
  /** The part of the outage whose events are no longer kept. */
  older: Schema.NullOr(Schema.Struct(span))
})
export type WebhookGap = typeof WebhookGap.Type

/** A recovery with its progress. */
export const WebhookRecoveryProgress = Schema.Struct({
  id: id("wrc"),
  status: Schema.Literals(["running", "completed", "stopped"]),
  ...span,
  missed: Schema.Int,
  made: Schema.Int,
  /** Events held back because the service of their number is suspended. */
  held: Schema.Int,
  /** Deliveries of the endpoint that wait to be sent. */
  waiting: Schema.Int,
  /** The delivery of the test with which it began; null when it began without one. */
  probe_id: Schema.NullOr(Schema.String),
  /** The attempt of that test; null before it and without one. */
  probe: Schema.NullOr(WebhookAttempt),
  awaits_probe: Schema.Boolean,
  stop_reason: Schema.NullOr(Schema.Literals(["probe_failed", "endpoint_disabled"])),
  created_at: Timestamp
})
export type WebhookRecoveryProgress = typeof WebhookRecoveryProgress.Type

/** The outage of an endpoint at an instant, and its last recovery. */
export const WebhookOutage = Schema.Struct({
  object: Schema.Literal("webhook_outage"),
  webhook_endpoint_id: id("we"),
  /** Null without a known outage, and while a recovery goes on, which tells of its own count. */
  gap: Schema.NullOr(WebhookGap),
  recovery: Schema.NullOr(WebhookRecoveryProgress),
  /** True while a recovery goes on, or its deliveries still wait to be sent. */
  is_recovering: Schema.Boolean,
  as_of: Timestamp,
  trace_id: TraceId
})
export type WebhookOutage = typeof WebhookOutage.Type

const traits = (more: Partial<OperationTraits>): OperationTraits => ({
  authentication: "person",
  scopes: ["webhooks:read"],
  rate: "read",
  validation: InvalidWebhookEndpointRequest.code,
  ...more
})
const params = { webhook_endpoint_id: pathId("we") }

/** What people do about an outage of an endpoint: look at it, and recover by one motion. Decision 0155 */
export class WebhookOutagesApi extends HttpApiGroup.make("webhookOutages")
  .add(
    HttpApiEndpoint.get("get", "/:webhook_endpoint_id", {
      params,
      success: WebhookOutage,
      error: WebhookEndpointNotFound.wire
    }).annotate(Traits, traits({})),
    HttpApiEndpoint.post("recover", "/:webhook_endpoint_id/recover", {
      params,
      success: Schema.Struct({
        object: Schema.Literal("webhook_outage_recovery"),
        webhook_endpoint_id: id("we"),
        trace_id: TraceId
      }).pipe(HttpApiSchema.status(202)),
      error: WebhookEndpointNotFound.wire
    }).annotate(Traits, traits({ scopes: ["webhooks:write"], rate: "bulk_resend", restrictedWithoutCredit: true }))
  )
  .prefix("/people/webhook-outages") {}
