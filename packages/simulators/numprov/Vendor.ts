import type { SimulatedAnswer } from "../kit/Routes.ts"
import type { SignedWebhookOptions } from "../kit/SignedWebhooks.ts"

/** The options of a simulated number provider. */
export interface NumprovOptions extends SignedWebhookOptions {
  /** The key of the platform's own account. */
  readonly apiKey: string
  /** Milliseconds from an order to its number, and from the number to the verification code. */
  readonly workMs: number
}

const refusals = {
  credentials_invalid: 401,
  account_suspended: 403,
  no_inventory: 409,
  number_unavailable: 409,
  calls_only: 409,
  idempotency_key_in_use: 409,
  invalid_request: 400,
  not_found: 404,
  rate_limited: 429
} as const

/** A code of the provider. vendor-wires "numprov" */
export type NumprovRefusal = keyof typeof refusals

export const refusalNames = Object.keys(refusals) as ReadonlyArray<NumprovRefusal>

/** The body of a refusal. */
export const numprovError = (code: NumprovRefusal, message: string = code): SimulatedAnswer => ({
  status: refusals[code],
  body: { error: { code, message } }
})
