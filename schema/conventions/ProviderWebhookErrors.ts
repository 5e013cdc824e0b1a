import { apiError } from "./ApiError.ts"

/** A vendor's call is not signed by it, too old, or of a connection nobody has. gaps-3 G "Inbound provider webhooks" */
export class ProviderWebhookSignatureInvalid extends apiError("provider_webhook_signature_invalid", {
  status: 401,
  type: "authentication_error",
  message: "x-provider-signature does not fit: sign the bytes as sent, with the agreed secret and the present time."
}) {}

/** No secret is agreed with the vendor, so nothing it says can be believed. gaps-3 G "Inbound provider webhooks" */
export class ProviderWebhookNotConfigured extends apiError("provider_webhook_not_configured", {
  status: 503,
  type: "service_unavailable",
  message: "No webhook secret is set for this provider."
}) {}
