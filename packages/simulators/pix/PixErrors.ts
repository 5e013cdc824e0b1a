import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The refusals of the Pix vendors: HTTP status by code. */
const refusals = {
  credentials_invalid: 401,
  not_found: 404,
  already_ended: 409,
  external_id_conflict: 409,
  idempotency_key_in_use: 409,
  amount_invalid: 422,
  request_invalid: 422,
  charge_rejected: 422,
  cancellation_unsupported: 422,
  rate_limited: 429
} as const

/** A code of the vendors. */
export type PixRefusal = keyof typeof refusals

export const pixRefusals = Object.keys(refusals) as ReadonlyArray<PixRefusal>

/** Returns the body of a refusal; one for too many calls has the seconds to wait. */
export const pixError = (code: PixRefusal, message: string = code, afterSeconds = 1): SimulatedAnswer => ({
  status: refusals[code],
  body: { error: { code, message } },
  ...(code === "rate_limited" ? { headers: { "retry-after": String(afterSeconds) } } : undefined)
})
