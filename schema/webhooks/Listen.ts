import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { InvalidCursor, RateLimited } from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  InvalidWebhookEventsQuery,
  InvalidWebhookListenSessionRequest,
  WebhookEndpointNotFound,
  WebhookEventNotFound,
  WebhookListenSessionActiveExists,
  WebhookListenSessionNotActive,
  WebhookListenSessionNotFound,
  WebhookListenSessionProductionOnly,
  WebhookListenSessionRequired
} from "./WebhookErrors.ts"
import { eventTypeQuery, SignaturePreview } from "./WebhookEvent.ts"

const trace_id = TraceId

/** One event of the stream; `id` is the outbox event's, `payload` the envelope as delivered. A-LSN-15, gaps-1 L */
export const ListenEvent = Schema.Struct({
  id: id("evt"),
  object: Schema.Literal("webhook_listen_event"),
  type: Schema.String.annotateKey({ description: "Type of the event." }),
  created_at: Timestamp,
  trace_id,
  payload: Schema.Unknown.annotateKey({ description: "The envelope as in a delivery." }),
  signature_preview: Schema.optionalKey(SignaturePreview).annotateKey({
    description: "Request that the endpoint would receive; present when webhook_endpoint_id is given."
  })
}).annotate({ identifier: "WebhookListenEvent" })
export type ListenEvent = typeof ListenEvent.Type

/** One page of the stream, oldest first; every page has a cursor, even an empty one. A-LSN-01..03, gaps-1 L */
export const ListenPage = Schema.Struct({
  object: Schema.Literal("webhook_event_listen"),
  data: Schema.Array(ListenEvent).annotateKey({ description: "The events after the cursor, oldest first." }),
  has_more: Schema.Boolean.annotateKey({ description: "Whether more events are available now." }),
  next_cursor: Schema.String.annotateKey({ description: "Value for cursor of the next poll." }),
  next_poll_after_ms: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotateKey({
    description: "Milliseconds to wait before the next poll."
  }),
  trace_id
}).annotate({ identifier: "WebhookEventListen" })
export type ListenPage = typeof ListenPage.Type

const sessionQuery = {
  webhook_endpoint_id: Schema.optionalKey(Schema.String).annotate({
    description: "Only events this endpoint subscribes to, each with its signature_preview."
  }),
  listen_session_id: Schema.optionalKey(Schema.String).annotate({
    description: "Id of the listen session; production keys need one."
  })
}

/** Query of GET /v1/webhook-events/listen. A-LSN-04..14 */
export const ListenQuery = {
  limit: Schema.optionalKey(integerParam(1, 100)),
  cursor: Schema.optionalKey(Schema.String).annotate({ description: "next_cursor of the previous poll." }),
  start_at: Schema.optionalKey(Schema.Literals(["oldest", "tail"])).annotate({
    description: "Start without a cursor: the oldest retained event, or now."
  }),
  ...eventTypeQuery,
  wait_ms: Schema.optionalKey(integerParam(0, 25_000)).annotateKey({
    description: "Milliseconds to hold the request open until an event arrives, 0 to 25000."
  }),
  ...sessionQuery
}

/** A production key's permission to listen for a limited time. A-LSS-04..08 */
export const ListenSession = Schema.Struct({
  id: id("wls"),
  object: Schema.Literal("webhook_listen_session"),
  environment: Schema.Literal("production"),
  status: Schema.Literals(["active", "disabled", "expired"]).annotate({
    description: "Status of the session; only an active session can listen."
  }),
  expires_at: Timestamp,
  disabled_at: Schema.NullOr(Timestamp).annotate({ description: "Time at which the session was ended; null before." }),
  created_at: Timestamp,
  trace_id,
  poll_endpoint: Schema.Literal("/v1/webhook-events/listen"),
  retrieve_endpoint: Schema.Literal("/v1/webhook-events/listen/:outbox_event_id")
}).annotate({ identifier: "WebhookListenSession" })
export type ListenSession = typeof ListenSession.Type

/** Body of POST /v1/webhook-events/listen-sessions; the body is optional. A-LSS-02, A-LSS-03 */
export const CreateListenSession = Schema.Struct({
  ttl_seconds: nullableOptional(
    Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 300 })).annotate({
      description: "Duration in seconds, 30 to 300; 300 by default."
    })
  ),
  reason: nullableOptional(label(1, 200).annotate({ description: "Reason for listening." }))
}).annotate({ examples: [{ ttl_seconds: 120, reason: "Debugging a missing event" }] })
export type CreateListenSession = typeof CreateListenSession.Type

const listenRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["webhooks:read"],
  rate: "listen",
  validation: InvalidWebhookEventsQuery.code,
  realTime: true,
  ...traits
})
const listenErrors = [
  InvalidWebhookEventsQuery.wire,
  WebhookListenSessionRequired.wire,
  WebhookListenSessionNotFound.wire,
  WebhookListenSessionNotActive.wire,
  WebhookEndpointNotFound.wire
]

/** Routes of the event stream of the calling key's environment, with or without a registered endpoint. A-LSN, A-LSS */
export class WebhookListenApi extends HttpApiGroup.make("webhookListen")
  .annotate(OpenApi.Identifier, "webhooks.events")
  .add(
    HttpApiEndpoint.get("listen", "/listen", {
      query: ListenQuery,
      success: ListenPage,
      error: [...listenErrors, InvalidCursor.wire, RateLimited.wire]
    })
      .annotate(Traits, listenRoute({ strictQuery: true, noHead: true, longPoll: true }))
      .annotate(OpenApi.Summary, "Listen for events")
      .annotate(
        OpenApi.Description,
        "Oldest first from the cursor; wait_ms above 0 holds the request open. Honor next_poll_after_ms and Retry-After. Retained for 7 days."
      ),
    HttpApiEndpoint.get("listenEvent", "/listen/:outbox_event_id", {
      params: { outbox_event_id: pathId("evt") },
      query: sessionQuery,
      success: ListenEvent,
      error: [...listenErrors, WebhookEventNotFound.wire]
    })
      .annotate(Traits, listenRoute({ strictQuery: true }))
      .annotate(OpenApi.Identifier, "webhooks.events.getListened")
      .annotate(OpenApi.Summary, "Read one event of the stream")
      .annotate(OpenApi.Description, "One retained event of the environment by its id, as in a delivery."),
    HttpApiEndpoint.post("createSession", "/listen-sessions", {
      payload: CreateListenSession,
      success: ListenSession.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidWebhookListenSessionRequest.wire,
        WebhookListenSessionProductionOnly.wire,
        WebhookListenSessionActiveExists.wire,
        RateLimited.wire
      ]
    })
      .annotate(
        Traits,
        listenRoute({
          scopes: ["webhooks:write"],
          rate: "listen_session_create",
          rateInHandler: true,
          validation: InvalidWebhookListenSessionRequest.code,
          strictBody: true
        })
      )
      .annotate(OpenApi.Identifier, "webhooks.listenSessions.create")
      .annotate(OpenApi.Summary, "Open a listen session")
      .annotate(
        OpenApi.Description,
        "One session is active per production environment. Its owner may replace it with 30 seconds or less remaining."
      ),
    HttpApiEndpoint.delete("deleteSession", "/listen-sessions/:listen_session_id", {
      params: { listen_session_id: pathId("wls") },
      success: ListenSession,
      error: [WebhookListenSessionProductionOnly.wire, WebhookListenSessionNotFound.wire]
    })
      .annotate(
        Traits,
        listenRoute({
          scopes: ["webhooks:write"],
          rate: "write",
          validation: InvalidWebhookListenSessionRequest.code
        })
      )
      .annotate(OpenApi.Identifier, "webhooks.listenSessions.delete")
      .annotate(OpenApi.Summary, "End a listen session")
      .annotate(
        OpenApi.Description,
        "Only the key that opened the session can end it; the environment may open another immediately."
      )
  )
  .prefix("/v1/webhook-events")
  .annotate(OpenApi.Title, "Webhook listen")
  .annotate(OpenApi.Description, "The event stream of an environment, without a registered endpoint.") {}
