/**
 * Codes stamped on a failed message as `error_code`, with the sentence that becomes `error_message`. They are never an
 * API answer of their own. M-DLV-01, M-SBX-23
 */
export const deliveryCodes = {
  no_provider_connection: "No connected provider account covers this sender.",
  provider_connection_unauthorized: "The provider refused the stored credential.",
  provider_connection_suspended: "The provider connection is suspended.",
  upstream_registration_required: "The number is not registered with the upstream platform.",
  sender_phone_number_unavailable: "The sending number is not active.",
  service_window_required: "The service window closed before the message was sent.",
  contact_opted_out: "The recipient opted out before the message was sent.",
  phone_service_suspended: "The sending number is suspended.",
  phone_number_rate_limit_exhausted: "The number stayed over its sending rate for too long.",
  provider_send_result_missing: "The provider's answer never arrived; the message may or may not have been sent.",
  queue_expired: "The message waited in the queue for more than 24 hours.",
  upstream_recipient_undeliverable: "The upstream platform could not deliver to this recipient.",
  upstream_rejected: "The upstream platform refused the message.",
  upstream_display_name_not_approved: "The display name of the number is not approved.",
  upstream_payment_method_required: "The upstream account needs a payment method.",
  upstream_account_inactive: "The upstream account is inactive.",
  upstream_messaging_permission_missing: "The upstream account lacks the messaging permission.",
  upstream_business_account_locked: "The upstream business account is locked.",
  sandbox_delivery_failure: "Simulated delivery failure.",
  sandbox_recipient_opted_out: "Simulated opt-out of the recipient.",
  sandbox_template_rejected: "Simulated rejection of the template."
} as const
export type DeliveryCode = keyof typeof deliveryCodes
