import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, rowsOf, rowsQuery } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidWebhookEventsQuery, WebhookEndpointNotFound, WebhookEventNotFound } from "./WebhookErrors.ts"
import { EventTypeFilter, WebhookAttempt, WebhookEvent, WebhookEventStatus } from "./WebhookEvent.ts"

const { attempts: _attempts, payload: _payload, signature_preview: _preview, ...facts } = WebhookEvent.fields

/** A row of the delivery log without its payload. */
export const DeliveryEntry = Schema.Struct({ ...facts, attempts: Schema.Array(WebhookAttempt) })
export type DeliveryEntry = typeof DeliveryEntry.Type

/** A delivery as a line of a file, without its attempts. */
export const DeliveryLine = Schema.Struct(
  Struct.pick(facts, ["id", "type", "status", "source_type", "source_id", "endpoint_id", "trace_id", "created_at"])
)
export type DeliveryLine = typeof DeliveryLine.Type

/** An attempt with the instant at which it was due. */
export const DueAttempt = Schema.Struct({ ...WebhookAttempt.fields, due_at: Timestamp })
export type DueAttempt = typeof DueAttempt.Type

/** The request of an attempt, signed with the endpoint's present secrets; credentials and declared secrets are masked. */
export const SentRequest = Schema.Struct({
  headers: Schema.Record(Schema.String, Schema.String),
  /** The body, indented. */
  body: Schema.String,
  /** The body as sent, byte for byte; null when parts of it are masked. */
  raw_body: Schema.NullOr(Schema.String)
})
export type SentRequest = typeof SentRequest.Type

/** The ids of the deliveries to an endpoint just before and just after one; null where there is none. */
const DeliveriesBeside = Schema.Struct({
  earlier: Schema.NullOr(Schema.String),
  later: Schema.NullOr(Schema.String)
})
export type DeliveriesBeside = typeof DeliveriesBeside.Type

/** One delivery with the details of its attempts. */
export const DeliveryDetails = Schema.Struct({
  ...facts,
  /** Null once the endpoint is deleted. */
  endpoint_url: Schema.NullOr(Schema.String),
  beside: DeliveriesBeside,
  attempts: Schema.Array(DueAttempt),
  /** True once erasure or retention cleared the payload. */
  is_cleared: Schema.Boolean,
  /** The request of its last attempt; null before the first, and once the payload was cleared. */
  request: Schema.NullOr(SentRequest)
})
export type DeliveryDetails = typeof DeliveryDetails.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["webhooks:read"],
  rate: "read",
  validation: InvalidWebhookEventsQuery.code
}
const limit = integerParam(1, 100)
const listQuery = {
  ...rowsQuery,
  event_type: Schema.optionalKey(EventTypeFilter),
  status: Schema.optionalKey(WebhookEventStatus),
  webhook_endpoint_id: Schema.optionalKey(Schema.String)
}
/** The id at which the walk ended before the list did; null when no row is left beyond it. */
const walked_to = Schema.NullOr(Schema.String)

/** The delivery log as people read it: by what an event is about, and with the requests that went out. Decision 0155 */
export class DeliveryLogApi extends HttpApiGroup.make("deliveryLog")
  .add(
    /** Deliveries to one endpoint or all of them, newest first. */
    HttpApiEndpoint.get("list", "/", {
      query: listQuery,
      success: Schema.Struct({ ...rowsOf(DeliveryEntry).fields, walked_to })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("lines", "/lines", {
      query: listQuery,
      success: Schema.Struct({ ...rowsOf(DeliveryLine).fields, walked_to })
    }).annotate(Traits, traits),
    /** Deliveries about one thing, newest first. A message is found by its customer, for whom its rows are indexed. */
    HttpApiEndpoint.get("about", "/about/:source_id", {
      params: { source_id: Schema.String },
      query: {
        limit,
        subject_type: Schema.optionalKey(Schema.String),
        subject_key: Schema.optionalKey(Schema.String)
      },
      success: rowsOf(DeliveryEntry)
    }).annotate(Traits, traits),
    /** The deliveries of one event, newest first. */
    HttpApiEndpoint.get("ofEvent", "/of-event/:event_id", {
      params: { event_id: pathId("evt") },
      query: { limit },
      success: rowsOf(DeliveryEntry)
    }).annotate(Traits, traits),
    /** The delivery of an attempt; the search covers only a bounded number of attempts before it. */
    HttpApiEndpoint.get("ofAttempt", "/of-attempt/:attempt_id", {
      params: { attempt_id: pathId("att") },
      success: Schema.Struct({
        object: Schema.Literal("attempt_delivery"),
        webhook_event_id: id("whe"),
        trace_id: TraceId
      }),
      error: WebhookEventNotFound.wire
    }).annotate(Traits, traits),
    /** The endpoint of a recovery. */
    HttpApiEndpoint.get("ofRecovery", "/of-recovery/:recovery_id", {
      params: { recovery_id: pathId("wrc") },
      success: Schema.Struct({
        object: Schema.Literal("recovery_endpoint"),
        webhook_endpoint_id: id("we"),
        trace_id: TraceId
      }),
      error: WebhookEndpointNotFound.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("get", "/:webhook_event_id", {
      params: { webhook_event_id: pathId("whe") },
      success: DeliveryDetails,
      error: WebhookEventNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/deliveries") {}
