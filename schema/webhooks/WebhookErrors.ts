import { apiError } from "../conventions/ApiError.ts"

/** Refuses when an endpoint body or list query breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookEndpointRequest extends apiError("invalid_webhook_endpoint_request", {
  status: 400,
  type: "validation_error",
  message: "The webhook endpoint request is invalid."
}) {}

/** Refuses a URL that must not be called: plain http, credentials, a local or private address. A-WHE-18..21 */
export class UnsafeWebhookUrl extends apiError("unsafe_webhook_url", {
  status: 400,
  type: "validation_error",
  message: "The webhook URL must be https, public and free of credentials."
}) {}

/** Refuses when the calling key's environment has no such endpoint, or when it was deleted. A-WHE-33, A-WHT-13 */
export class WebhookEndpointNotFound extends apiError("webhook_endpoint_not_found", {
  status: 404,
  type: "not_found",
  message: "No webhook endpoint with this id."
}) {}

/**
 * Refuses a test of a manually disabled endpoint, or a resend to one disabled in any way. A-WHT-12, gaps-1 K "Resend"
 */
export class WebhookEndpointDisabled extends apiError("webhook_endpoint_disabled", {
  status: 409,
  type: "conflict",
  message: "The webhook endpoint is disabled."
}) {}

/** Refuses more than 20 endpoints per environment. gaps-1 J "Number of endpoints" */
export class WebhookEndpointLimitReached extends apiError("webhook_endpoint_limit_reached", {
  status: 409,
  type: "conflict",
  message: "This environment holds the largest allowed number of webhook endpoints."
}) {}

/** Refuses when an event list or listen query breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookEventsQuery extends apiError("invalid_webhook_events_query", {
  status: 400,
  type: "validation_error",
  message: "The webhook events query is invalid."
}) {}

/** Refuses when the caller has no such webhook event or listen event. gaps-1 K "Resend", L "Endpoint filter" */
export class WebhookEventNotFound extends apiError("webhook_event_not_found", {
  status: 404,
  type: "not_found",
  message: "No webhook event with this id."
}) {}

/** Refuses to resend a test event. A-WHT-16 */
export class WebhookTestNotResendable extends apiError("webhook_test_not_resendable", {
  status: 409,
  type: "conflict",
  message: "A webhook.test event cannot be resent; start a new test instead."
}) {}

/** Refuses when erasure or retention cleared the payload. gaps-1 K "Resend" */
export class WebhookEventPayloadUnavailable extends apiError("webhook_event_payload_unavailable", {
  status: 409,
  type: "conflict",
  message: "The payload of this event was cleared and cannot be sent again."
}) {}

/** Refuses when a bulk resend body breaks the contract or names the test event's type. A-WHV-23, A-WHT-18 */
export class InvalidBulkWebhookResend extends apiError("invalid_bulk_webhook_resend", {
  status: 400,
  type: "validation_error",
  message: "The bulk resend request is invalid."
}) {}

/** Refuses when the number's service is suspended, so that its content is not sent again. A-WHV-20 */
export class PhoneServiceSuspended extends apiError("phone_service_suspended", {
  status: 403,
  type: "authorization_error",
  message: "Number management policy blocks this use of the phone number."
}) {}

/** Refuses when a listen session body breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookListenSessionRequest extends apiError("invalid_webhook_listen_session_request", {
  status: 400,
  type: "validation_error",
  message: "The listen session request is invalid."
}) {}

/** Refuses when a production key listens without a session. A-LSN-13 */
export class WebhookListenSessionRequired extends apiError("webhook_listen_session_required", {
  status: 400,
  type: "validation_error",
  message: "Production keys listen with a listen_session_id."
}) {}

/** Refuses a sandbox key that asks for a session, because it needs none. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionProductionOnly extends apiError("webhook_listen_session_production_only", {
  status: 400,
  type: "validation_error",
  message: "Listen sessions are for production keys; sandbox keys listen directly."
}) {}

/** Refuses when the session is unknown, foreign or owned by another key. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionNotFound extends apiError("webhook_listen_session_not_found", {
  status: 404,
  type: "not_found",
  message: "No listen session of this key with this id."
}) {}

/** Refuses when the caller's own session has ended. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionNotActive extends apiError("webhook_listen_session_not_active", {
  status: 409,
  type: "conflict",
  message: "This listen session has ended."
}) {}

/**
 * Refuses while another session holds the environment; `details.active_session` names it and its end. A-LSS-14,
 * A-LSS-15
 */
export class WebhookListenSessionActiveExists extends apiError("webhook_listen_session_active_exists", {
  status: 409,
  type: "conflict",
  message: "A listen session is active in this environment."
}) {}
