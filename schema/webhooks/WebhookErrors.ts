import { apiError } from "../conventions/ApiError.ts"

/** An endpoint body or list query breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookEndpointRequest extends apiError("invalid_webhook_endpoint_request", {
  status: 400,
  type: "validation_error",
  message: "The webhook endpoint request is invalid."
}) {}

/** The URL can be read but must not be called: plain http, credentials, a local or private address. A-WHE-18..21 */
export class UnsafeWebhookUrl extends apiError("unsafe_webhook_url", {
  status: 400,
  type: "validation_error",
  message: "The webhook URL must be https, public and free of credentials."
}) {}

/** No such endpoint in the calling key's environment, or it was deleted. A-WHE-33, A-WHT-13 */
export class WebhookEndpointNotFound extends apiError("webhook_endpoint_not_found", {
  status: 404,
  type: "not_found",
  message: "No webhook endpoint with this id."
}) {}

/** A test of a manually disabled endpoint, or a resend to one disabled in any way. A-WHT-12, gaps-1 K "Resend" */
export class WebhookEndpointDisabled extends apiError("webhook_endpoint_disabled", {
  status: 409,
  type: "conflict",
  message: "The webhook endpoint is disabled."
}) {}

/** At most 20 endpoints per environment. gaps-1 J "Number of endpoints" */
export class WebhookEndpointLimitReached extends apiError("webhook_endpoint_limit_reached", {
  status: 409,
  type: "conflict",
  message: "This environment holds the largest allowed number of webhook endpoints."
}) {}

/** An event list or listen query breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookEventsQuery extends apiError("invalid_webhook_events_query", {
  status: 400,
  type: "validation_error",
  message: "The webhook events query is invalid."
}) {}

/** No such webhook event or listen event for the caller. gaps-1 K "Resend", L "Endpoint filter" */
export class WebhookEventNotFound extends apiError("webhook_event_not_found", {
  status: 404,
  type: "not_found",
  message: "No webhook event with this id."
}) {}

/** A probe is never sent again. A-WHT-16 */
export class WebhookTestNotResendable extends apiError("webhook_test_not_resendable", {
  status: 409,
  type: "conflict",
  message: "A webhook.test event cannot be resent; start a new test instead."
}) {}

/** The payload was cleared by erasure or retention. gaps-1 K "Resend" */
export class WebhookEventPayloadUnavailable extends apiError("webhook_event_payload_unavailable", {
  status: 409,
  type: "conflict",
  message: "The payload of this event was cleared and cannot be sent again."
}) {}

/** A bulk resend body breaks the contract, or names the probe's event type. A-WHV-23, A-WHT-18 */
export class InvalidBulkWebhookResend extends apiError("invalid_bulk_webhook_resend", {
  status: 400,
  type: "validation_error",
  message: "The bulk resend request is invalid."
}) {}

/** The number's service is suspended, so its content is not sent again. A-WHV-20 */
export class PhoneServiceSuspended extends apiError("phone_service_suspended", {
  status: 403,
  type: "authorization_error",
  message: "Number management policy blocks this use of the phone number."
}) {}

/** A listen session body breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidWebhookListenSessionRequest extends apiError("invalid_webhook_listen_session_request", {
  status: 400,
  type: "validation_error",
  message: "The listen session request is invalid."
}) {}

/** A production key listens without a session. A-LSN-13 */
export class WebhookListenSessionRequired extends apiError("webhook_listen_session_required", {
  status: 400,
  type: "validation_error",
  message: "Production keys listen with a listen_session_id."
}) {}

/** A sandbox key asks for a session it does not need. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionProductionOnly extends apiError("webhook_listen_session_production_only", {
  status: 400,
  type: "validation_error",
  message: "Listen sessions are for production keys; sandbox keys listen directly."
}) {}

/** The session is unknown, foreign or owned by another key. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionNotFound extends apiError("webhook_listen_session_not_found", {
  status: 404,
  type: "not_found",
  message: "No listen session of this key with this id."
}) {}

/** The caller's own session has ended. gaps-1 L "Session rules in listen" */
export class WebhookListenSessionNotActive extends apiError("webhook_listen_session_not_active", {
  status: 409,
  type: "conflict",
  message: "This listen session has ended."
}) {}

/** Another session holds the environment; `details.active_session` says which and until when. A-LSS-14, A-LSS-15 */
export class WebhookListenSessionActiveExists extends apiError("webhook_listen_session_active_exists", {
  status: 409,
  type: "conflict",
  message: "A listen session is active in this environment."
}) {}
