import { apiError } from "./ApiError.ts"

/**
 * Refuses when the signature of a vendor's call is not valid or too old, or its connection does not exist. gaps-3 G
 * "Inbound provider webhooks"
 */
export class ProviderWebhookSignatureInvalid extends apiError("provider_webhook_signature_invalid", {
  status: 401,
  type: "authentication_error",
  message:
    "The vendor's signature does not fit: both sides need the same secret and the present time, and the bytes as sent."
}) {}

/**
 * Refuses when no secret is agreed with the vendor, because its calls cannot be verified. gaps-3 G "Inbound provider
 * webhooks"
 */
export class ProviderWebhookNotConfigured extends apiError("provider_webhook_not_configured", {
  status: 503,
  type: "service_unavailable",
  message: "No webhook secret is set for this provider."
}) {}
