import type { SimulatedAnswer } from "../kit/Routes.ts"
import type { SignedWebhookOptions } from "../kit/SignedWebhooks.ts"

/** The options of a simulated processor. */
export interface CardprocOptions extends SignedWebhookOptions {
  readonly apiKey: string
}

/** The operation of a call, as faults and log name it. */
export type CardOperation =
  | "customer"
  | "setup"
  | "card"
  | "attach"
  | "detach"
  | "charge"
  | "charge_status"
  | "charge_lookup"

/** The result of a call, for the log. */
export interface Done {
  /** The response; undefined when the call is left unanswered. */
  readonly answer: SimulatedAnswer | undefined
  readonly outcome: string
  readonly facts?: object
}
