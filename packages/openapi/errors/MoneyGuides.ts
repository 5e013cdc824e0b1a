import type { ErrorGuides } from "./ErrorGuide.ts"

/** Credit, plans, cards and payments. */
export const moneyGuides = {
  agentic_authorization_not_active: {
    causes: "The customer has not authorized yet, has refused, or the authorization was revoked or has ended.",
    remedy: "Read the authorization's `status`. Ask the customer for another one if it is over."
  },
  agentic_connection_required: {
    causes: "The environment has no connected account for agentic payments.",
    remedy: "Connect one with `POST /v1/provider-credential-setup-sessions`."
  },
  billing_provider_not_configured: {
    causes: "The operator has not connected a card processor to this installation.",
    remedy: "Pay by Pix in the dashboard where it is offered, or ask the operator."
  },
  card_declined: {
    causes: "The bank refused the charge; `details.decline_code` gives its reason where it has one.",
    remedy: "Use another card, or let its holder ask the bank. A new attempt needs a new `Idempotency-Key`."
  },
  credit_balance_exhausted: {
    causes: "The prepaid balance of the organization is used up; nothing that costs money is accepted.",
    remedy:
      "Add credit in the dashboard or with `POST /v1/billing/packages/purchase`, and switch automatic top-up on with `PUT /v1/billing/auto-topup`."
  },
  insufficient_balance: {
    causes: "The balance does not cover the fees of this payment.",
    remedy: "Add credit and repeat the request with the same key; nothing was created or charged."
  },
  payment_already_terminal: {
    causes: "The payment was paid, failed, expired or was cancelled.",
    remedy: "Read it; create another payment if one is still wanted."
  },
  payment_approval_unsupported: {
    causes: "The provider of this payment knows no requests for approval.",
    remedy: "Give the customer the payment's link or code."
  },
  payment_cancellation_unsupported: {
    causes: "The provider of this payment takes no cancellation.",
    remedy: "Let it expire. Do not ship before `payment.paid`."
  },
  payment_fee_pricing_unavailable: {
    causes: "The fees could not be read for a moment.",
    remedy: "Repeat the request with the same key later; nothing was created or charged."
  },
  payment_link_not_ready: {
    causes: "The provider has not answered with the link yet.",
    remedy: "Wait for `payment.link_generated`, then try again.",
    passes: true
  },
  payment_method_limit_reached: {
    causes: "The account has ten active cards.",
    remedy: "Delete one with `DELETE /v1/billing/payment-methods/{payment_method_id}`."
  },
  payment_method_not_active: {
    causes: "The card was deleted.",
    remedy: "Save it again, or use another card."
  },
  payment_method_required: {
    causes: "Subscribing by card needs a saved default card.",
    remedy: "Save one with `POST /v1/billing/payment-methods/setup-intent`, make it the default, and subscribe again."
  },
  payment_provider_connection_required: {
    causes: "The environment has no connected account that takes payments.",
    remedy: "Connect one with `POST /v1/provider-credential-setup-sessions`. Sandbox payments are simulated without."
  },
  plan_already_current: {
    causes: "The plan that was asked for is the present one.",
    remedy: "Nothing is to be done."
  },
  spend_limit_exceeded: {
    causes: "The project reached the cap that somebody set for its month.",
    remedy: "An owner or admin raises the cap in the dashboard, or the project waits for the next month.",
    passes: true
  },
  subscription_already_active: {
    causes: "The organization has a plan.",
    remedy: "Change it with `POST /v1/billing/plan/change`."
  },
  subscription_change_pending: {
    causes: "A payment for the subscription is not settled.",
    remedy: "Read `GET /v1/billing/plan` until it is, then try again.",
    passes: true
  }
} as const satisfies ErrorGuides
