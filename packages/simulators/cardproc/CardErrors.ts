import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The processor's refusals: HTTP status by code. */
const refusals = {
  credentials_invalid: 401,
  invalid_request: 400,
  not_found: 404,
  card_declined: 402,
  payment_method_not_attached: 409,
  idempotency_conflict: 409,
  idempotency_key_in_use: 409,
  rate_limited: 429
} as const

/** A code of the processor. */
export type CardRefusal = keyof typeof refusals

export const refusalNames = Object.keys(refusals) as ReadonlyArray<CardRefusal>

/** The body of a refusal. */
export const cardError = (code: CardRefusal, message: string = code): SimulatedAnswer => ({
  status: refusals[code],
  body: { error: { code, message, ...(code === "card_declined" ? { decline_code: "generic_decline" } : undefined) } }
})
