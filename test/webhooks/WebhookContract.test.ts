import { type OperationTraits, Traits } from "@carteiro/schema/conventions/Access.ts"
import { CreateListenSession, ListenQuery, WebhookListenApi } from "@carteiro/schema/webhooks/Listen.ts"
import {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointsApi
} from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import * as WebhookErrors from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { BulkResend, WebhookEventsApi } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Context, Option, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { queryReader } from "../../packages/http-edge/decoding/QueryString.ts"

const api = HttpApi.make("carteiro").add(WebhookEndpointsApi, WebhookEventsApi, WebhookListenApi)

interface Declared {
  readonly method: string
  readonly path: string
  readonly traits: OperationTraits
}
const declared = new Map<string, Declared>()
for (const group of [WebhookEndpointsApi, WebhookEventsApi, WebhookListenApi]) {
  for (const endpoint of Object.values(group.endpoints)) {
    declared.set(`${group.identifier}.${endpoint.identifier}`, {
      method: endpoint.method,
      path: endpoint.path,
      traits: Option.getOrThrow(Context.getOption(endpoint.annotations, Traits))
    })
  }
}

const read: Partial<OperationTraits> = { scopes: ["webhooks:read"], rate: "read" }
const write: Partial<OperationTraits> = { scopes: ["webhooks:write"] }
const endpointCode = "invalid_webhook_endpoint_request"
const queryCode = "invalid_webhook_events_query"

const routes: ReadonlyArray<readonly [string, string, string, OperationTraits]> = [
  [
    "webhookEndpoints.create",
    "POST",
    "/v1/webhook-endpoints",
    endpoint({ idempotency: "optional", perKey: true, strictBody: true, restrictedWithoutCredit: true })
  ],
  ["webhookEndpoints.list", "GET", "/v1/webhook-endpoints", endpoint({ ...read, strictQuery: true })],
  ["webhookEndpoints.get", "GET", "/v1/webhook-endpoints/:webhook_endpoint_id", endpoint(read)],
  ["webhookEndpoints.update", "PATCH", "/v1/webhook-endpoints/:webhook_endpoint_id", endpoint({ strictBody: true })],
  ["webhookEndpoints.delete", "DELETE", "/v1/webhook-endpoints/:webhook_endpoint_id", endpoint({})],
  [
    "webhookEndpoints.rotateSecret",
    "POST",
    "/v1/webhook-endpoints/:webhook_endpoint_id/rotate-secret",
    endpoint({ idempotency: "optional", perKey: true })
  ],
  [
    "webhookEndpoints.test",
    "POST",
    "/v1/webhook-endpoints/:webhook_endpoint_id/test",
    endpoint({
      rate: "endpoint_test",
      rateInHandler: true,
      idempotencyInHandler: true,
      idempotency: "optional",
      restrictedWithoutCredit: true
    })
  ],
  [
    "webhookEndpoints.recover",
    "POST",
    "/v1/webhook-endpoints/:webhook_endpoint_id/recover",
    endpoint({ rate: "bulk_resend", idempotency: "optional", strictBody: true, restrictedWithoutCredit: true })
  ],
  ["webhookEvents.list", "GET", "/v1/webhook-events", event({ ...read, strictQuery: true })],
  ["webhookEvents.get", "GET", "/v1/webhook-events/:webhook_event_id", event(read)],
  [
    "webhookEvents.resend",
    "POST",
    "/v1/webhook-events/:webhook_event_id/resend",
    event({ ...write, rate: "resend", idempotency: "optional", restrictedWithoutCredit: true })
  ],
  [
    "webhookEvents.bulkResend",
    "POST",
    "/v1/webhook-events/bulk-resend",
    event({
      ...write,
      rate: "bulk_resend",
      validation: "invalid_bulk_webhook_resend",
      idempotency: "optional",
      strictBody: true,
      restrictedWithoutCredit: true
    })
  ],
  [
    "webhookListen.listen",
    "GET",
    "/v1/webhook-events/listen",
    event({ rate: "listen", strictQuery: true, noHead: true, longPoll: true, realTime: true })
  ],
  [
    "webhookListen.listenEvent",
    "GET",
    "/v1/webhook-events/listen/:outbox_event_id",
    event({ rate: "listen", strictQuery: true, realTime: true })
  ],
  [
    "webhookListen.createSession",
    "POST",
    "/v1/webhook-events/listen-sessions",
    event({
      ...write,
      rate: "listen_session_create",
      realTime: true,
      rateInHandler: true,
      validation: "invalid_webhook_listen_session_request",
      strictBody: true
    })
  ],
  [
    "webhookListen.deleteSession",
    "DELETE",
    "/v1/webhook-events/listen-sessions/:listen_session_id",
    event({ ...write, rate: "write", realTime: true, validation: "invalid_webhook_listen_session_request" })
  ]
]

function endpoint(traits: Partial<OperationTraits>): OperationTraits {
  return { scopes: ["webhooks:write"], rate: "endpoint_write", validation: endpointCode, ...traits }
}
function event(traits: Partial<OperationTraits>): OperationTraits {
  return { scopes: ["webhooks:read"], rate: "read", validation: queryCode, ...traits }
}

describe("Webhook contract", () => {
  it.each(routes)(
    "declares %s as %s %s with its scopes, bucket and checks (gaps-1 A, B, C, M)",
    (name, method, path, traits) => {
      assert.deepStrictEqual(declared.get(name), { method, path, traits })
    }
  )

  it("declares no other route", () => {
    assert.deepStrictEqual([...declared.keys()].sort(), routes.map(([name]) => name).sort())
  })

  it("describes every route in OpenAPI, success statuses included A-WHT-01 A-LSS-01", () => {
    const { paths } = OpenApi.fromApi(api)
    const successes = routes.map(([name, method, path]) => {
      const item = paths[path.replaceAll(/:(\w+)/g, "{$1}")] as Record<string, { responses: object }> | undefined
      const statuses = Object.keys(item?.[method.toLowerCase()]?.responses ?? {}).filter((each) => each.startsWith("2"))
      return [name, ...statuses]
    })
    const expected: Record<string, string> = {
      "webhookEndpoints.create": "201",
      "webhookEndpoints.test": "202",
      "webhookEndpoints.recover": "202",
      "webhookEvents.resend": "202",
      "webhookEvents.bulkResend": "202",
      "webhookListen.createSession": "201"
    }
    assert.deepStrictEqual(
      successes,
      routes.map(([name]) => [name, expected[name] ?? "200"])
    )
  })

  it("gives every refusal the status and type of the contract (gaps-1 A, error.type)", () => {
    const table = Object.fromEntries(
      Object.values(WebhookErrors).map((error) => [error.code, `${error.spec.status} ${error.spec.type}`])
    )
    assert.deepStrictEqual(table, {
      invalid_webhook_endpoint_request: "400 validation_error",
      unsafe_webhook_url: "400 validation_error",
      invalid_webhook_events_query: "400 validation_error",
      invalid_bulk_webhook_resend: "400 validation_error",
      invalid_webhook_listen_session_request: "400 validation_error",
      webhook_listen_session_required: "400 validation_error",
      webhook_listen_session_production_only: "400 validation_error",
      phone_service_suspended: "403 authorization_error",
      webhook_endpoint_not_found: "404 not_found",
      webhook_event_not_found: "404 not_found",
      webhook_listen_session_not_found: "404 not_found",
      webhook_endpoint_disabled: "409 conflict",
      webhook_endpoint_limit_reached: "409 conflict",
      webhook_test_not_resendable: "409 conflict",
      webhook_event_payload_unavailable: "409 conflict",
      webhook_listen_session_not_active: "409 conflict",
      webhook_listen_session_active_exists: "409 conflict"
    })
  })

  it("has no place for a secret in a read A-WHE-12", () => {
    assert.notProperty(WebhookEndpoint.fields, "signing_secret")
    assert.notProperty(WebhookEndpoint.fields, "standard_webhooks_secret")
  })
})

const strict = { onExcessProperty: "error" } as const
const accepts = (schema: Schema.ConstraintDecoder<unknown>, body: unknown): boolean =>
  Schema.decodeUnknownExit(schema, strict)(body)._tag === "Success"

describe("Webhook bodies", () => {
  const url = "https://hooks.example.com/in"
  const subscribed_events = ["message.received"]

  it.each([
    [{ url, subscribed_events }, true],
    [{ url, subscribed_events, description: null }, true],
    [{ url, subscribed_events, description: "d".repeat(255) }, true],
    [{ url, subscribed_events, description: "d".repeat(256) }, false],
    [{ url, subscribed_events, description: "  " }, false],
    [{ url: "http://10.0.0.1/", subscribed_events }, true],
    [{ url: "/relative", subscribed_events }, false],
    [{ url: `${url}#part`, subscribed_events }, false],
    [{ url: `${url}#`, subscribed_events }, false],
    [{ url: ` ${url}`, subscribed_events }, false],
    [{ url: `${url}?q=${"x".repeat(2048 - url.length - 3)}`, subscribed_events }, true],
    [{ url: `${url}?q=${"x".repeat(2049 - url.length - 3)}`, subscribed_events }, false],
    [{ url: null, subscribed_events }, false],
    [{ url }, false],
    [{ url, subscribed_events: [] }, false],
    [{ url, subscribed_events: Array(100).fill("message.sent") }, true],
    [{ url, subscribed_events: Array(101).fill("message.sent") }, false],
    [{ url, subscribed_events: ["message.created"] }, false],
    [{ url, subscribed_events: ["webhook.test"] }, false],
    [{ url, subscribed_events: ["*"] }, false],
    [{ url, subscribed_events, secret: "mine" }, false]
  ])("create %j is valid: %s A-WHE-13 A-WHT-03 A-SIG-18", (body, valid) => {
    assert.strictEqual(accepts(CreateWebhookEndpoint, body), valid)
  })

  it.each([
    [{}, false],
    [{ description: null }, true],
    [{ url: null }, false],
    [{ subscribed_events: null }, false],
    [{ status: null }, false],
    [{ status: "active" }, true],
    [{ status: "paused" }, false],
    [{ url, subscribed_events, status: "disabled" }, true],
    [{ statuss: "active" }, false]
  ])("PATCH %j is valid: %s A-WHE-17", (body, valid) => {
    assert.strictEqual(accepts(UpdateWebhookEndpoint, body), valid)
  })

  it.each([
    [{}, false],
    [{ limit: 5 }, false],
    [{ event_type: null }, false],
    [{ event_type: "message.sent" }, true],
    [{ event_type: "webhook.test" }, false],
    [{ event_type: "" }, false],
    [{ status: "pending", limit: 100 }, true],
    [{ status: "pending", limit: 101 }, false],
    [{ status: "pending", limit: 0 }, false],
    [{ status: "pending", limit: 1.5 }, false],
    [{ status: "done" }, false],
    [{ webhook_event_ids: [] }, false],
    [{ webhook_event_ids: ["a", "a"] }, false],
    [{ webhook_event_ids: Array.from({ length: 100 }, (_, n) => `whe_${n}`) }, true],
    [{ webhook_event_ids: Array.from({ length: 101 }, (_, n) => `whe_${n}`) }, false],
    [{ webhook_event_ids: ["whe_1"], status: "failed", limit: null }, true]
  ])("bulk resend %j is valid: %s A-WHV-18 A-WHV-23 A-WHT-18", (body, valid) => {
    assert.strictEqual(accepts(BulkResend, body), valid)
  })

  it.each([
    [{}, true],
    [{ ttl_seconds: 30, reason: "debugging" }, true],
    [{ ttl_seconds: 300 }, true],
    [{ ttl_seconds: 29 }, false],
    [{ ttl_seconds: 301 }, false],
    [{ ttl_seconds: "60" }, false],
    [{ ttl_seconds: null, reason: null }, true],
    [{ reason: "" }, false],
    [{ reason: "r".repeat(201) }, false],
    [{ ttl: 60 }, false]
  ])("listen session %j is valid: %s A-LSS-02 A-LSS-03", (body, valid) => {
    assert.strictEqual(accepts(CreateListenSession, body), valid)
  })
})

describe("Webhook queries", () => {
  const listen = queryReader(Schema.Struct(ListenQuery), { code: "invalid_webhook_events_query", strict: true })

  it("reads event_types once, repeated or with brackets A-WHV-13 A-LSN-09", () => {
    assert.deepStrictEqual(listen("event_types=a"), { event_types: ["a"] })
    assert.deepStrictEqual(listen("event_types=a&event_types[]=b&event_type=c"), {
      event_types: ["a", "b"],
      event_type: "c"
    })
  })

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["start_at=newest", "start_at"],
    ["event_type=", "event_type"],
    ["wait_ms=25001", "wait_ms"],
    ["wait_ms=-1", "wait_ms"],
    ["starting_after=x", "starting_after"],
    ["cursor=a&cursor=b", "cursor"]
  ])("refuses listen?%s and names the parameter A-LIM-05 A-LSN-04 A-LSN-05 A-LSN-06 A-LSN-10", (search, param) => {
    assert.deepInclude(listen(search), { _tag: "invalid_webhook_events_query", param })
  })

  it("accepts the bounds A-LSN-04 A-LSN-10", () => {
    const query = { limit: "100", wait_ms: "25000", start_at: "tail" }
    assert.deepStrictEqual(listen(new URLSearchParams(query).toString()), query)
  })
})
