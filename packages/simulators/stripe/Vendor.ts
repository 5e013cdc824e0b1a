import type { SimulatedAnswer } from "../kit/Routes.ts"
import type { SignedWebhookOptions } from "../kit/SignedWebhooks.ts"

/** The version of the wire: that of the official client 23.1.0. */
export const apiVersion = "2026-10-28.endive"

/** The options of a simulated Stripe account. */
export interface StripeOptions extends SignedWebhookOptions {
  /** The secret key of the account. */
  readonly apiKey: string
  /** Milliseconds after which searches find a new object; a second by default. */
  readonly searchLagMs?: number
}

/** The operation of a call, as faults and log name it; those of the bridge's simulator keep their names. */
export type StripeOperation =
  | "customer"
  | "customer_status"
  | "customer_lookup"
  | "customer_search"
  | "setup"
  | "setup_status"
  | "setup_lookup"
  | "setup_confirm"
  | "checkout"
  | "checkout_status"
  | "checkout_lookup"
  | "checkout_expire"
  | "card"
  | "card_lookup"
  | "attach"
  | "detach"
  | "charge"
  | "charge_status"
  | "charge_lookup"
  | "charge_search"
  | "charge_confirm"
  | "charge_cancel"
  | "collection_status"
  | "collection_lookup"
  | "refund"
  | "refund_status"
  | "refund_lookup"
  | "dispute_status"
  | "dispute_lookup"
  | "event_status"
  | "event_lookup"
  | "balance"

/** The result of a call, for the log. */
export interface Done {
  /** The response; undefined when the call is left unanswered. */
  readonly answer: SimulatedAnswer | undefined
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}
