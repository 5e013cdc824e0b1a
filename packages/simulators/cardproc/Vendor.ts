import type { Answered } from "../kit/Routes.ts"
import type { SignedWebhookOptions } from "../kit/SignedWebhooks.ts"

/** What a simulated processor is started with. */
export interface CardprocOptions extends SignedWebhookOptions {
  readonly apiKey: string
}

/** What a call is about, as faults and log name it. */
export type CardOperation =
  | "customer"
  | "setup"
  | "card"
  | "attach"
  | "detach"
  | "charge"
  | "charge_status"
  | "charge_lookup"

/** What a call came to, for the log. */
export interface Done {
  /** Undefined: it is left without an answer. */
  readonly answer: Answered | undefined
  readonly outcome: string
  readonly facts?: object
}
