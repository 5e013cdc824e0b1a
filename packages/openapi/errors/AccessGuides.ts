import type { ErrorGuides } from "./ErrorGuide.ts"

/** Guides for keys, limits, idempotency, webhooks and codes that any route may answer. */
export const accessGuides = {
  api_key_limit_reached: {
    causes: "Keys are made by a program and never revoked, or a deployment makes one at each start.",
    remedy: "List the keys with `GET /v1/api-keys`, revoke those that no program uses, and try again."
  },
  api_key_not_active: {
    causes: "The key was revoked before, by somebody else or by an earlier rotation, or it reached its `expires_at`.",
    remedy: "Nothing is left to be done to this key. Create another one if a program still needs it."
  },
  authentication_error: {
    causes:
      "No `Authorization: Bearer` header arrived, the key lost characters on its way, it was revoked or has expired, or a proxy removed the header.",
    remedy:
      "Send `Authorization: Bearer svc_live_…` or `svc_sbx_…` exactly as it was shown when the key was made. A key that is lost cannot be shown again: create another one. Do not repeat the request unchanged."
  },
  authorization_denied: {
    causes: "A person looked at the device code in the dashboard and denied it.",
    remedy: "Stop polling. Start a new device authorization if the person changes their mind."
  },
  device_code_expired: {
    causes: "Nobody confirmed the code within its `expires_in` seconds.",
    remedy: "Start again with `POST /v1/agent-api-key-device-authorizations` and show the new code."
  },
  invalid_device_code: {
    causes: "The device code is misspelt, comes from another installation, or was exchanged for a key already.",
    remedy: "Use the `device_code` of the latest answer. Its key is shown once: if that answer was lost, start again."
  },
  slow_down: {
    causes: "The program polls faster than the `interval` that it was told; each such request lengthens it.",
    remedy: "Wait `retry_after_ms` and poll no faster than the new interval."
  },
  feature_disabled: {
    causes: "A family of features is switched off for this environment; `details` or the message names it.",
    remedy: "An owner or admin switches it on in the dashboard, under the environment's capabilities."
  },
  data_export_disabled: {
    causes: "Exports are off until an environment asks for them, because they hold personal data.",
    remedy: "Switch them on with `PATCH /v1/data-retention`, then ask for the export again."
  },
  insufficient_scope: {
    causes:
      "The key is valid, but it was made without a scope that this operation needs; `details` names what is missing.",
    remedy:
      "Create a key with the scope, or have one with `api_keys:admin` do so. A program should hold no more scopes than it uses. Repeating with this key is refused again."
  },
  organization_suspended: {
    causes: "The operator of this installation suspended the organization.",
    remedy: "Nothing can be done by the API. An owner of the organization writes to the operator."
  },
  sandbox_only_route: {
    causes: "A production key called a route that simulates something.",
    remedy: "Call it with a sandbox key. In production the thing itself has to happen."
  },
  sandbox_clock_advancing: {
    causes:
      "The clock of this sandbox is being advanced, and everything due on the way is not done yet. Or the sandbox is being emptied.",
    remedy:
      "Read the advance with `GET /v1/sandbox/clock/advances/{advance_id}` until its `status` is `settled` or `stopped`, then turn the clock again.",
    passes: true
  },
  idempotency_key_conflict: {
    causes:
      "A key that stands for one request came with another body, path or method. Often a counter started again, or one key is used for a whole loop.",
    remedy:
      "Make one key for each thing that you want to happen, and store it beside that thing before the first try. Send a fresh key for this request."
  },
  idempotency_key_in_progress: {
    causes: "The first request with this key is still under way: a repeat was sent before it was answered.",
    remedy:
      "Wait a second and send the unchanged request with the same key: it gets the first one's answer. A request whose server was lost holds its key for 20 seconds, and for 24 hours where a vendor may have carried it out.",
    passes: true
  },
  idempotency_key_required: {
    causes: "This operation moves money or cannot be undone, and came without an `Idempotency-Key` header.",
    remedy: "Send one: any 1 to 255 printable characters that stand for this one request, such as a UUID."
  },
  missing_idempotency_key: {
    causes: "Feedback was sent without an `Idempotency-Key` header.",
    remedy: "Send one, so that a repeat does not make a second report."
  },
  invalid_idempotency_key: {
    causes: "The header was sent twice, is empty, is longer than 255 characters or holds others than printable ASCII.",
    remedy: "Send it once, with 1 to 255 printable ASCII characters."
  },
  invalid_cursor: {
    causes:
      "The cursor was cut, was made by another route or environment, or is an id. Filters may change between pages, the route may not.",
    remedy: "Pass `next_cursor` of the page before, unchanged, or leave `starting_after` out to begin again."
  },
  http_exception: {
    causes:
      "The request never became one of the API's: the body is no JSON, its media type or encoding is not accepted, headers are too large, or the method does not belong to the path.",
    remedy: "Read the message: it names the part. Send `content-type: application/json` in UTF-8, without compression."
  },
  route_not_found: {
    causes: "No route has this path, or not with this method. The message names the nearest one.",
    remedy: "Compare method and path with the API reference; every route of the API begins with `/v1`."
  },
  payload_too_large: {
    causes: "The body is larger than the route takes: 1 MiB for most, more where files travel inside a body.",
    remedy: "Send less at once. Files go by an upload session (`POST /v1/media/uploads`), imports in several requests."
  },
  rate_limited: {
    causes:
      "A bucket is empty: of the key, the environment, the organization, the number or the address that asks. The guide on sending limits lists them.",
    remedy:
      "Wait `retry_after_ms`, then go on more slowly; add a random part to the wait when several programs share a key. Send many messages as a batch."
  },
  internal_error: {
    causes: "A fault of ours. It was logged under the request id.",
    remedy:
      "Repeat the request with the same `Idempotency-Key`: at most one of the two takes effect. If it stays, report it with the request id, to `POST /v1/feedback` for instance."
  },
  service_unavailable: {
    causes: "A part of the service moves, is overloaded, or cannot reach its database for a moment.",
    remedy: "Wait `retry_after_ms` and repeat the unchanged request with the same `Idempotency-Key`."
  },
  provider_error: {
    causes: "An outside provider refused, failed or gave no usable answer.",
    remedy: "Try again later with the same key. `details` names what was made here nevertheless, if anything was."
  },
  project_limit_reached: {
    causes: "The organization holds as many active projects as it may.",
    remedy: "Archive projects that are no longer used, or keep tenants apart by metadata instead of by project."
  },
  project_slug_taken: {
    causes: "Another active project of the organization has this slug.",
    remedy: "Choose another slug, or use the project that is there."
  },
  unsafe_webhook_url: {
    causes: "The URL is not https, names a private or local address, or carries credentials.",
    remedy:
      "Give a public https URL and check signatures instead of passwords in the URL. For local receivers use `carteiro listen`, or the operator's allowlist in development."
  },
  webhook_endpoint_disabled: {
    causes: "The endpoint is switched off: by you, or because its deliveries failed for days.",
    remedy:
      "Repair the receiver, enable the endpoint with `PATCH /v1/webhook-endpoints/{webhook_endpoint_id}`, then deliver what was missed with `POST /v1/webhook-endpoints/{webhook_endpoint_id}/recover`."
  },
  webhook_endpoint_limit_reached: {
    causes: "The environment has as many endpoints as it may.",
    remedy: "Delete endpoints that are not used, or let one receiver pass events on."
  },
  webhook_event_payload_unavailable: {
    causes: "The payload was cleared: its retention ended, or the person whom it is about was erased.",
    remedy: "It cannot be sent again. Read the present state of the thing by its own route."
  },
  webhook_test_not_resendable: {
    causes: "The event came from the test of an endpoint.",
    remedy: "Start another test with `POST /v1/webhook-endpoints/{webhook_endpoint_id}/test`."
  },
  webhook_listen_session_active_exists: {
    causes: "Another program of this environment listens, or one ended without closing its session.",
    remedy: "End the other session, or wait until it expires.",
    passes: true
  },
  webhook_listen_session_not_active: {
    causes: "The session was ended or has expired.",
    remedy: "Create another session and go on from the last cursor."
  },
  webhook_listen_session_production_only: {
    causes: "A sandbox key asked for a session, which only production needs.",
    remedy: "Call `GET /v1/webhook-events/listen` directly with the sandbox key."
  },
  webhook_listen_session_required: {
    causes: "A production key listens without a session.",
    remedy: "Create one with `POST /v1/webhook-events/listen-sessions` and send its id as `listen_session_id`."
  }
} as const satisfies ErrorGuides
