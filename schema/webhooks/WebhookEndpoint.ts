import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { IdempotencyKeyConflict, InvalidCursor, RateLimited } from "../conventions/SharedErrors.ts"
import { codePoints, label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { SubscribableEventType } from "./EventCatalog.ts"
import {
  InvalidWebhookEndpointRequest,
  UnsafeWebhookUrl,
  WebhookEndpointDisabled,
  WebhookEndpointLimitReached,
  WebhookEndpointNotFound
} from "./WebhookErrors.ts"
import { RecoverWebhookEndpoint, WebhookRecovery } from "./WebhookRecovery.ts"

/** The class of an attempt's failure, if known. A-WHV-07 */
export const FailureClass = Schema.Literals(["auth_rejected", "server_error", "unreachable", "timeout"]).annotate({
  identifier: "WebhookFailureClass",
  description: "Class of the failure, if known."
})
export type FailureClass = typeof FailureClass.Type

/** The last observation of the breaker, without counters, internal events or secrets. A-WHE-06, A-WHE-07, A-WHE-09 */
export const DisabledDetail = Schema.Struct({
  last_status_code: Schema.NullOr(Schema.Int).annotate({ description: "Status of the last response; null for none." }),
  failure_class: Schema.NullOr(FailureClass).annotate({ description: "Class of the last failure." }),
  probation_retrip: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "Present when the endpoint was disabled again during probation."
  })
}).annotate({ identifier: "WebhookDisabledDetail" })
export type DisabledDetail = typeof DisabledDetail.Type

// biome-ignore lint/suspicious/noControlCharactersInRegex: a URL parser would silently drop exactly these
const blank = /[\s\u0000-\u001f\u007f-\u009f]/

/** An absolute URL as sent, at most 2048 characters and without a fragment; its safety is checked later. gaps-1 J */
export const WebhookUrl = Schema.String.annotate({
  description: "Absolute https URL reachable from the internet, at most 2048 characters, without a fragment.",
  format: "uri"
}).check(
  Schema.makeFilter(
    (url: string) =>
      codePoints(url, 2048) <= 2048 &&
      url.isWellFormed() &&
      !blank.test(url) &&
      !url.includes("#") &&
      URL.canParse(url),
    { expected: "an absolute URL of at most 2048 characters without a fragment" }
  )
)

/** 1 to 100 types of the catalog; duplicates are merged later. gaps-1 J "subscribed_events values" */
export const SubscribedEvents = Schema.Array(SubscribableEventType)
  .check(Schema.isMinLength(1), Schema.isMaxLength(100))
  .annotate({ description: "Types of events to deliver, 1 to 100." })

const note = "Your note about the endpoint, 1 to 255 characters after trimming."

const endpointFields = {
  id: id("we"),
  object: Schema.Literal("webhook_endpoint"),
  url: Schema.String.annotateKey({ description: "Address of deliveries." }),
  description: Schema.NullOr(Schema.String).annotate({ description: "Your note about the endpoint." }),
  subscribed_events: Schema.Array(Schema.String).annotate({
    description: "Types of events that the endpoint receives."
  }),
  status: Schema.Literals(["active", "disabled"]).annotate({
    description: "disabled: no event is delivered; see disabled_reason."
  }),
  probation: Schema.Boolean.annotate({
    description: "True from recovery until the first successful delivery."
  }),
  disabled_reason: Schema.NullOr(Schema.String).annotate({
    description: "consecutive_failures or manual; null while it is active."
  }),
  disabled_detail: Schema.NullOr(DisabledDetail).annotate({
    description: "The last failure before it was disabled by failures."
  }),
  last_failure_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of the latest failure; null before the first."
  }),
  last_success_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of the latest success; null before the first."
  }),
  environment: EnvironmentKind,
  created_at: Timestamp,
  updated_at: Timestamp
}
const signing_secret = Schema.String.annotate({ description: "Key of the signatures, shown only in this response." })
const standard_webhooks_secret = Schema.String.annotate({
  description:
    "Key of the Standard Webhooks signatures, in the form that their libraries accept; shown only in this response."
})
const trace_id = TraceId

/** A registered receiver as reads return it, always without the signing secret. A-WHE-01..12 */
export const WebhookEndpoint = Schema.Struct(endpointFields).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/**
 * A receiver as create and rotate-secret return it once. A-WHE-14, A-WHE-35, gaps-1 J "Secret overlap after rotation"
 */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...endpointFields,
  signing_secret,
  standard_webhooks_secret,
  trace_id
}).annotate({ identifier: "WebhookEndpointWithSecret" })
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Type

/** Body of POST /v1/webhook-endpoints, in the order its fields are checked. A-WHE-13 */
export const CreateWebhookEndpoint = Schema.Struct({
  url: WebhookUrl,
  description: nullableOptional(label(1, 255).annotate({ description: note })),
  subscribed_events: SubscribedEvents
}).annotate({
  examples: [
    {
      url: "https://hooks.example.com/carteiro",
      description: "Order service",
      subscribed_events: ["message.received", "message.failed"]
    }
  ]
})
export type CreateWebhookEndpoint = typeof CreateWebhookEndpoint.Type

/** Body of PATCH /v1/webhook-endpoints/{id}: at least one field; null for description only. A-WHE-17, gaps-1 J */
export const UpdateWebhookEndpoint = Schema.Struct({
  url: Schema.optionalKey(WebhookUrl),
  description: Schema.optionalKey(Schema.NullOr(label(1, 255))).annotate({ description: note }),
  subscribed_events: Schema.optionalKey(SubscribedEvents),
  status: Schema.optionalKey(Schema.Literals(["active", "disabled"])).annotate({
    description: "active recovers the endpoint, disabled stops it; the recover route delivers events missed meanwhile."
  })
})
  .annotate({ examples: [{ subscribed_events: ["message.received", "message.failed", "message.delivered"] }] })
  .check(Schema.makeFilter((body) => Object.keys(body).length > 0, { expected: "at least one field to change" }))
export type UpdateWebhookEndpoint = typeof UpdateWebhookEndpoint.Type

/** The response to DELETE. gaps-1 J "Paths of delete and secret rotation" */
export const DeletedWebhookEndpoint = Schema.Struct({
  id: id("we"),
  object: Schema.Literal("webhook_endpoint"),
  deleted: Schema.Literal(true),
  trace_id
}).annotate({ identifier: "DeletedWebhookEndpoint" })

/** The response to a test: the test delivery is queued, and its event shows the result. A-WHT-01 */
export const WebhookTest = Schema.Struct({
  object: Schema.Literal("webhook_test"),
  webhook_event_id: id("whe"),
  webhook_endpoint_id: id("we"),
  status: Schema.Literal("pending"),
  trace_id
}).annotate({ identifier: "WebhookTest" })

const endpointRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["webhooks:write"],
  rate: "endpoint_write",
  validation: InvalidWebhookEndpointRequest.code,
  ...traits
})
const params = { webhook_endpoint_id: pathId("we") }
const read = Schema.Struct({ ...endpointFields, trace_id })

/** Routes of the receivers of the calling key's environment. A-WHE, A-WHT */
export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .annotate(OpenApi.Identifier, "webhooks.endpoints")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateWebhookEndpoint,
      success: WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidWebhookEndpointRequest.wire,
        UnsafeWebhookUrl.wire,
        WebhookEndpointLimitReached.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(
        Traits,
        endpointRoute({ idempotency: "optional", perKey: true, strictBody: true, restrictedWithoutCredit: true })
      )
      .annotate(OpenApi.Summary, "Register a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "One URL may be registered more than once; each registration has its own secrets, shown once."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(WebhookEndpoint),
      error: [InvalidWebhookEndpointRequest.wire, InvalidCursor.wire]
    })
      .annotate(Traits, endpointRoute({ scopes: ["webhooks:read"], rate: "read", strictQuery: true }))
      .annotate(OpenApi.Summary, "List webhook endpoints")
      .annotate(OpenApi.Description, "Endpoints of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:webhook_endpoint_id", { params, success: read, error: WebhookEndpointNotFound.wire })
      .annotate(Traits, endpointRoute({ scopes: ["webhooks:read"], rate: "read" }))
      .annotate(OpenApi.Summary, "Read a webhook endpoint")
      .annotate(OpenApi.Description, "Returns the endpoint with its health, never its signing secret."),
    HttpApiEndpoint.patch("update", "/:webhook_endpoint_id", {
      params,
      payload: UpdateWebhookEndpoint,
      success: read,
      error: [InvalidWebhookEndpointRequest.wire, UnsafeWebhookUrl.wire, WebhookEndpointNotFound.wire]
    })
      .annotate(Traits, endpointRoute({ strictBody: true }))
      .annotate(OpenApi.Summary, "Change, disable or recover a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Activating an endpoint that the breaker disabled starts probation: three consecutive failures disable it again, the first success ends probation. Missed events are not replayed; the recover route delivers them."
      ),
    HttpApiEndpoint.delete("delete", "/:webhook_endpoint_id", {
      params,
      success: DeletedWebhookEndpoint,
      error: WebhookEndpointNotFound.wire
    })
      .annotate(Traits, endpointRoute({}))
      .annotate(OpenApi.Summary, "Delete a webhook endpoint")
      .annotate(OpenApi.Description, "Waiting deliveries fail; the delivery log stays."),
    HttpApiEndpoint.post("rotateSecret", "/:webhook_endpoint_id/rotate-secret", {
      params,
      success: WebhookEndpointWithSecret,
      error: [WebhookEndpointNotFound.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, endpointRoute({ idempotency: "optional", perKey: true }))
      .annotate(OpenApi.Summary, "Rotate the signing secret")
      .annotate(
        OpenApi.Description,
        "The new signing secret signs every further attempt, without overlap. For 24 hours the Standard Webhooks header carries signatures of both the new and the previous secret."
      ),
    HttpApiEndpoint.post("test", "/:webhook_endpoint_id/test", {
      params,
      success: WebhookTest.pipe(HttpApiSchema.status(202)),
      error: [WebhookEndpointNotFound.wire, WebhookEndpointDisabled.wire, IdempotencyKeyConflict.wire, RateLimited.wire]
    })
      .annotate(
        Traits,
        endpointRoute({
          rate: "endpoint_test",
          rateInHandler: true,
          idempotency: "optional",
          idempotencyInHandler: true,
          restrictedWithoutCredit: true
        })
      )
      .annotate(OpenApi.Summary, "Send a test event")
      .annotate(
        OpenApi.Description,
        "Queues one signed webhook.test delivery with a single attempt. At most five per rolling minute and endpoint, including replays."
      ),
    HttpApiEndpoint.post("recover", "/:webhook_endpoint_id/recover", {
      params,
      payload: RecoverWebhookEndpoint,
      success: WebhookRecovery.pipe(HttpApiSchema.status(202)),
      error: [
        InvalidWebhookEndpointRequest.wire,
        WebhookEndpointNotFound.wire,
        WebhookEndpointDisabled.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(
        Traits,
        endpointRoute({
          rate: "bulk_resend",
          idempotency: "optional",
          strictBody: true,
          restrictedWithoutCredit: true
        })
      )
      .annotate(OpenApi.Summary, "Deliver missed events of a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Delivers every subscribed event of the span that never reached the endpoint: events from a time when it was disabled, and deliveries that failed permanently. Events from before its registration are excluded. Activate the endpoint first. Events are kept for 7 days."
      )
  )
  .prefix("/v1/webhook-endpoints")
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "Receivers of signed events, and their health.") {}
