import { apiError } from "./ApiError.ts"

/** Codes that any route may return. Errors, shared codes; gaps-1 A */
export class AuthenticationError extends apiError("authentication_error", {
  status: 401,
  type: "authentication_error",
  message: "The API key is missing, malformed, unknown, expired or revoked; the message says which."
}) {}

/** The sentence of each case of a 401. A key of another tenant and one that never existed are both unknown. gaps-1 "Amendments of November 2026" */
export const keyRefusals = {
  no_header: "The request has no Authorization header: send `Authorization: Bearer` and an API key.",
  several_headers: "The request has several Authorization headers: send one.",
  other_scheme: "The Authorization header does not begin with `Bearer`: send `Authorization: Bearer` and an API key.",
  malformed:
    "The API key is malformed: it begins with `svc_live_` or `svc_sbx_`, 38 letters and digits follow, and none of them is wrong. Copy it whole.",
  unknown: "The API key is unknown here: check that it belongs to this installation.",
  revoked_or_expired: "The API key is revoked or expired: use another, or make one in the console."
} as const

export class OrganizationSuspended extends apiError("organization_suspended", {
  status: 403,
  type: "authorization_error",
  message: "This organization is suspended."
}) {}

export class InsufficientScope extends apiError("insufficient_scope", {
  status: 403,
  type: "authorization_error",
  message: "The API key lacks a scope this operation needs."
}) {}

export class ProjectNotFound extends apiError("project_not_found", {
  status: 404,
  type: "not_found",
  message: "No project with this id."
}) {}

export class OrganizationNotFound extends apiError("organization_not_found", {
  status: 404,
  type: "not_found",
  message: "The organization of this key no longer exists."
}) {}

export class CreditBalanceExhausted extends apiError("credit_balance_exhausted", {
  status: 402,
  type: "payment_required",
  message: "The credit balance is exhausted; add credit to continue.",
  retryable: false
}) {}

export class RateLimited extends apiError("rate_limited", {
  status: 429,
  type: "rate_limited",
  message: "Too many requests; wait for the stated delay."
}) {}

export class FeatureDisabled extends apiError("feature_disabled", {
  status: 403,
  type: "authorization_error",
  message: "This capability is switched off for the environment."
}) {}

/** Refuses when a list query breaks the contract. gaps-2 A "New error codes" */
export class InvalidQuery extends apiError("invalid_query", {
  status: 400,
  type: "validation_error",
  message: "The query is invalid."
}) {}

export class InvalidCursor extends apiError("invalid_cursor", {
  status: 400,
  type: "validation_error",
  message: "The cursor is malformed or belongs to another list."
}) {}

export class InvalidIdempotencyKey extends apiError("invalid_idempotency_key", {
  status: 400,
  type: "validation_error",
  message: "Idempotency-Key must be sent once, as 1 to 255 printable ASCII characters."
}) {}

export class IdempotencyKeyRequired extends apiError("idempotency_key_required", {
  status: 400,
  type: "validation_error",
  message: "This operation needs an Idempotency-Key header."
}) {}

export class IdempotencyKeyConflict extends apiError("idempotency_key_conflict", {
  status: 409,
  type: "idempotency_conflict",
  message: "This Idempotency-Key was used with a different request; use a fresh key."
}) {}

export class IdempotencyKeyInProgress extends apiError("idempotency_key_in_progress", {
  status: 409,
  type: "idempotency_conflict",
  message: "The first request with this Idempotency-Key has not finished; wait and retry the same key."
}) {}

export class PayloadTooLarge extends apiError("payload_too_large", {
  status: 413,
  type: "validation_error",
  message: "The request body is over the limit of this route."
}) {}

export class RouteNotFound extends apiError("route_not_found", {
  status: 404,
  type: "not_found",
  message: "No route matches."
}) {}

/** Refuses when a provider refused or did not answer. gaps-1 A "error.type for each shared code" */
export class ProviderError extends apiError("provider_error", {
  status: 502,
  type: "provider_error",
  message: "The provider could not do this; try again later."
}) {}

export class InternalError extends apiError("internal_error", {
  status: 500,
  type: "internal_error",
  message: "Something failed on our side.",
  feedback: true
}) {}

export class ServiceUnavailable extends apiError("service_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "The service cannot answer right now; retry after the stated delay."
}) {}

/** Returns the refusal of a change in a sandbox that is being emptied. */
export const sandboxBeingEmptied = (): ServiceUnavailable =>
  new ServiceUnavailable({
    message: "This sandbox is being emptied; ask again in a few seconds.",
    retry_after_ms: 1000
  })
