import type { ErrorGuides } from "./ErrorGuide.ts"

/** Phone numbers, orders and connections to providers. */
export const numberGuides = {
  billing_whatsapp_required: {
    causes: "Nobody of the organization receives billing alerts on a phone of their own.",
    remedy: "An owner or admin registers and confirms their phone in the dashboard, and agrees to the alerts."
  },
  chatapp_credentials_invalid: {
    causes: "The token or code has expired, was revoked, or does not reach the account and number that were named.",
    remedy: "Mint another one at the platform for this account, with the permissions of the connection guide."
  },
  kyc_pending: {
    causes: "The declared business identity is being reviewed.",
    remedy: "Wait for the review; an e-mail tells its end. Sandbox numbers need no identity.",
    passes: true
  },
  kyc_required: {
    causes: "The organization has not declared who it is.",
    remedy: "An owner declares the business identity in the dashboard. Sandbox numbers need none."
  },
  numprov_byok_subscription_required: {
    causes: "The plan of this organization does not include numbers of an own provider account.",
    remedy: "Change to the Standard or Growth plan with `POST /v1/billing/plan/change`."
  },
  numprov_byok_terms_required: {
    causes: "The terms for numbers of an own account were not accepted, or in another version.",
    remedy: "Show the terms to whoever decides, and send `continuation_terms_version` as `numprov_byok_v1`."
  },
  numprov_byok_unavailable: {
    causes: "Own number-provider accounts are not switched on in this installation.",
    remedy: "Send the unchanged request later, or ask the operator."
  },
  numprov_connection_already_exists: {
    causes: "The environment has a live connection to a number provider.",
    remedy: "Rotate its credentials, or disconnect it before another account is connected."
  },
  numprov_connection_unavailable: {
    causes: "The connection is being checked, has failed or was disconnected.",
    remedy: "Read the connection's latest operation and repair what it names."
  },
  numprov_number_already_imported: {
    causes: "This or another environment imported the number before.",
    remedy: "Use the imported number, or remove it where it is."
  },
  numprov_number_unavailable: {
    causes: "The number was given up at the provider, or the list that shows it is older than 24 hours.",
    remedy: "Discover the account's numbers again and import from the fresh list."
  },
  phone_number_confirmation_mismatch: {
    causes: "The confirming id in the body is not the one in the path.",
    remedy: "Repeat the id of the path: it guards against releasing the wrong number."
  },
  phone_number_conflict: {
    causes: "The number is connected elsewhere, in this organization or another.",
    remedy: "Disconnect it there first. If you do not know where, ask the operator of this installation."
  },
  phone_number_not_convertible: {
    causes: "The number was not imported, or its management has ended.",
    remedy: "Only imported numbers under management become your own this way."
  },
  phone_number_not_removable: {
    causes: "The route does not fit the number's source: rented numbers are released, all others disconnected.",
    remedy: "Read `source` and `status` of the number and take the other route, or wait until it has come to rest."
  },
  phone_number_not_transferable: {
    causes: "Messages of the number are queued, held or being sent, or it is neither active nor disconnected.",
    remedy: "Let the queue empty, cancel what waits, and try again.",
    passes: true
  },
  phone_number_rental_approval_required: {
    causes: "Renting costs money every month, so that a person of the organization decides.",
    remedy:
      "Give `details.order.approval_url` to an owner or admin. Repeat with the same key; do not create another order."
  },
  phone_number_rental_preview_unavailable: {
    causes: "The price of the number could not be read from its provider.",
    remedy: "Try again later. Nothing was ordered."
  },
  phone_number_transfer_environment_kind_mismatch: {
    causes: "One of the environments is a sandbox, the other is not.",
    remedy: "Name an environment of the same kind."
  },
  phone_number_transfer_same_environment: {
    causes: "The target is where the number is.",
    remedy: "Nothing is to be done, or another environment is meant."
  },
  phone_service_suspended: {
    causes: "The monthly fee of the number is unpaid, or its management was suspended.",
    remedy: "Pay what is open, as the dashboard shows it; the number goes on by itself."
  },
  plan_phone_limit_reached: {
    causes: "The plan includes a number of phones, and all are in use.",
    remedy: "Release a number, or change the plan with `POST /v1/billing/plan/change`."
  },
  provider_webhook_not_configured: {
    causes: "A provider called a webhook for which this installation has no secret.",
    remedy: "The operator sets the provider's webhook secret; the provider repeats what it could not deliver."
  },
  provider_webhook_signature_invalid: {
    causes: "The signature is missing, was made with another secret, or the body was changed on its way.",
    remedy:
      "The operator compares the secret with the one at the provider. Calls that no provider makes are refused so."
  },
  provider_connection_not_pending: {
    causes: "The connection is complete or was given up.",
    remedy: "Read its `status`; begin another connection if it has failed."
  },
  provider_connection_not_rotatable: {
    causes: "The connection is no upstream one, or is neither connected nor suspended.",
    remedy: "Connect the account again instead of rotating its token."
  },
  provider_credential_setup_session_already_completed: {
    causes: "The session's form was sent before.",
    remedy: "Nothing is left to do. Create another session for other credentials."
  },
  provider_credential_setup_session_already_denied: {
    causes: "Somebody denied the session before.",
    remedy: "Create another session if the decision has changed."
  },
  provider_credential_setup_session_denied: {
    causes: "Somebody looked at the request for credentials and denied it.",
    remedy: "Talk to them, then create another session."
  },
  provider_credential_setup_session_expired: {
    causes: "Nobody completed the session in its time.",
    remedy: "Create another session and pass on its link."
  },
  provider_credential_setup_stt_sandbox_unsupported: {
    causes: "A sandbox transcribes by itself and takes no key.",
    remedy: "Set the key up in production."
  },
  provider_credential_setup_target_not_configured: {
    causes: "The operator has not set this installation up for that provider.",
    remedy: "Ask the operator, or choose another provider."
  },
  target_environment_not_found: {
    causes: "The named environment belongs to another organization, or is not there.",
    remedy: "Read its id from `GET /v1/projects/{project_id}`."
  },
  invalid_upstream_signup_session_token: {
    causes: "The link of the signup is old, was used, or was cut.",
    remedy: "Create another signup session and open its link from the start."
  },
  upstream_biz_account_missing: {
    causes: "The token reaches several business accounts, or none.",
    remedy:
      "Complete the pending connection that `details` names with `biz_account_id`, by `POST /v1/provider-connections/{connection_id}/complete-pending`."
  },
  upstream_connection_already_exists: {
    causes: "The environment has a live connection for this channel.",
    remedy: "Rotate its token, or disconnect it first."
  },
  upstream_identity_enforced: {
    causes: "The new token belongs to another business account than the connection.",
    remedy: "Mint a token of the same account, or connect the other account by itself."
  },
  upstream_signup_session_already_completed: {
    causes: "Two completions of one signup came, and the other was first.",
    remedy: "Read the session: it names the connection that came of it."
  },
  upstream_signup_session_expired: {
    causes: "The signup was not completed in its time.",
    remedy: "Create another signup session."
  },
  upstream_token_foreign_app: {
    causes: "The token was minted by another app of the platform.",
    remedy: "Use a token that the app of this installation minted; its id stands in the onboarding configuration."
  }
} as const satisfies ErrorGuides
