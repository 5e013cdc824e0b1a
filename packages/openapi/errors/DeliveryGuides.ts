import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { ErrorGuide } from "./ErrorGuide.ts"

const account = "The account at the platform stands in the way, not the message."

/** Guides for codes with which a message fails after its acceptance, and which no request gets. M-DLV-01 */
export const deliveryGuides = {
  no_provider_connection: {
    causes: "The sender's environment has no connected account for this channel.",
    remedy: "Connect an account, then send the message again."
  },
  provider_connection_unauthorized: {
    causes: "The stored token has expired or was revoked at the platform.",
    remedy: "Rotate it with `POST /v1/provider-connections/{connection_id}/rotate-token`, then send again."
  },
  provider_connection_suspended: {
    causes: "The connection was suspended after the platform refused its token.",
    remedy: "Rotate its token, then send again."
  },
  upstream_registration_required: {
    causes: "The number is not registered for sending at the platform.",
    remedy: "Connect the number again; registration is part of it."
  },
  phone_number_rate_limit_exhausted: {
    causes: "More was sent by this number than its throughput lets through, for a long time.",
    remedy: "Send more slowly, or from several numbers; the platform raises the throughput of good numbers."
  },
  invalid_template_payload: {
    causes: "The template of the message has no name or no language.",
    remedy: "Name both, as `GET /v1/templates` shows them."
  },
  template_unavailable: {
    causes: "The platform paused or disabled the template, or deleted it.",
    remedy:
      "Read the template's `status` and send another one. Paused templates come back when their quality is better."
  },
  media_asset_resolution_failed: {
    causes: "The file could not be handed to the platform.",
    remedy: "Send the message again. If it fails again, upload the file anew."
  },
  media_link_fetch_failed: {
    causes: "The link does not answer, redirects to a private address, needs a login, or is too slow.",
    remedy: "Open the link without any login; or upload the file and send its asset."
  },
  media_content_changed: {
    causes: "The stored bytes are not those that were uploaded.",
    remedy: "Upload the file again."
  },
  media_voice_requires_ogg_opus: {
    causes: "A voice note was sent in another format.",
    remedy: "Convert it to `audio/ogg` with the Opus codec, or send it as audio."
  },
  tts_provider_error: {
    causes: "The speech provider refused the text, has no key here, or did not answer.",
    remedy: "Check the provider's key under connections, and send again."
  },
  tts_render_failed: {
    causes: "The speech provider's audio was empty or in no usable format.",
    remedy: "Shorten the text, or choose another voice or provider."
  },
  provider_send_result_missing: {
    causes: "The connection to the platform broke while the message was on the wire.",
    remedy: "The person may have it. Ask before you send it again: it is never repeated by itself."
  },
  queue_expired: {
    causes: "The message waited for more than 24 hours, for the allowance of its number or for its provider.",
    remedy: "Send it again if it is still of use, and spread large sends over several days or numbers."
  },
  upstream_recipient_undeliverable: {
    causes: "The person has no account there, has blocked this business, or uses an app that is too old.",
    remedy: "Reach them another way. Do not try again soon: such failures lower the quality of the number."
  },
  group_not_active: {
    causes: "The group is being made or deleted, could not be made, or is suspended by the platform.",
    remedy: "Read `status`, `failure` and `suspended_at` of the group; wait for `group.created` before you use it."
  },
  upstream_recipient_phone_required: {
    causes:
      "The customer hides the phone, and the platform sends this kind of message, such as a code, to phones only.",
    remedy: "Ask for the phone, with a template that has a REQUEST_CONTACT_INFO button, and send the message to it."
  },
  upstream_engagement_limited: {
    causes: "The platform limits how much marketing this person gets from all businesses.",
    remedy: "Try again after days, not minutes, or wait until they write."
  },
  upstream_experiment_holdout: {
    causes: "The platform leaves this person out of marketing for an experiment of its own.",
    remedy: "Nothing can be done; answers and utility messages arrive."
  },
  upstream_marketing_opted_out: {
    causes: "The person switched marketing of this business off at the platform.",
    remedy: "Send no marketing. Their preference is stored as an opt-out here too."
  },
  upstream_media_download_failed: {
    causes: "The platform could not fetch the file from the link it was given.",
    remedy: "Upload the file and send its asset instead of a link."
  },
  upstream_rejected: {
    causes: "The platform refused the message; `provider_error` of the message holds its own code and words.",
    remedy: "Read `provider_error` and put right what it names before you send again."
  },
  upstream_display_name_not_approved: {
    causes: account,
    remedy: "Get the number's display name approved at the platform."
  },
  upstream_payment_method_required: {
    causes: account,
    remedy: "Add a payment method to the business account at the platform."
  },
  upstream_account_inactive: {
    causes: account,
    remedy: "Look at the account's state at the platform and repair what it names."
  },
  upstream_messaging_permission_missing: {
    causes: account,
    remedy: "Give the app the messaging permission and connect the account again."
  },
  upstream_business_account_locked: {
    causes: account,
    remedy: "Unlock the business account at the platform."
  },
  sandbox_delivery_failure: {
    causes: "The send asked for it: its `metadata.sandbox_scenario` was `delivery_failure`.",
    remedy: "Nothing is wrong: leave the scenario out for a message that arrives."
  },
  sandbox_recipient_opted_out: {
    causes: "The send asked for it: its `metadata.sandbox_scenario` was `recipient_opted_out`.",
    remedy: "Nothing is wrong: it shows what your program does then. No contact was opted out."
  },
  sandbox_template_rejected: {
    causes: "The send asked for it: its `metadata.sandbox_scenario` was `template_rejected`.",
    remedy: "Nothing is wrong: it shows what your program does then. The template stays as it was."
  }
} as const satisfies Partial<Record<DeliveryCode, ErrorGuide>>
