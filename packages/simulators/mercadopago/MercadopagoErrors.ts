import type { SimulatedAnswer } from "../kit/Routes.ts"

/** A refusal as Mercado Pago writes it: HTTP status, word of the error, code of its cause, sentence. */
type Refusal = readonly [status: number, error: string, cause: number | string | null, message: string]

/** The refusals by the simulators' common names. */
const refusals = {
  credentials_invalid: [401, "unauthorized", null, "invalid access token"],
  not_found: [404, "not_found", 2000, "Payment not found"],
  already_ended: [400, "bad_request", 2063, "The action requested is not valid for the current payment state"],
  external_id_conflict: [
    409,
    "idempotency_key_already_used",
    "idempotency_key_already_used",
    "The key was used before"
  ],
  idempotency_key_in_use: [423, "resource_locked", "resource_locked", "The idempotency key is locked, try again"],
  idempotency_key_missing: [400, "bad_request", 4292, "Header X-Idempotency-Key can't be null"],
  amount_invalid: [400, "bad_request", 2072, "Invalid value for transaction_amount"],
  refund_amount_invalid: [400, "bad_request", 2017, "Invalid transaction_amount for update"],
  request_invalid: [400, "bad_request", 1, "Params Error"],
  charge_rejected: [403, "forbidden", 4, "The caller is not authorized to access this resource"],
  rate_limited: [429, "too_many_requests", null, "Too many requests"]
} as const satisfies Readonly<Record<string, Refusal>>

/** A refusal's name in faults and log. */
export type MercadopagoRefusal = keyof typeof refusals

export const mercadopagoRefusals = Object.keys(refusals) as ReadonlyArray<MercadopagoRefusal>

/** Returns a body of Mercado Pago's errors: `message`, `error`, `status` and the list of causes. */
const errorBody = (status: number, error: string, cause: number | string | null, message: string): SimulatedAnswer => ({
  status,
  body: { message, error, status, cause: cause === null ? [] : [{ code: cause, description: message, data: null }] }
})

/** Returns a refusal; one for too many calls has the seconds to wait. */
export const refusalOf = (name: MercadopagoRefusal, message?: string, afterSeconds = 1): SimulatedAnswer => {
  const [status, error, cause, sentence] = refusals[name]
  const answer = errorBody(status, error, cause, message === undefined ? sentence : `${sentence}: ${message}`)
  return name === "rate_limited" ? { ...answer, headers: { "retry-after": String(afterSeconds) } } : answer
}

/** Returns the refusal of a parameter, by the code and the sentence of Mercado Pago's reference. */
export const badParameter = (code: number, sentence: string): SimulatedAnswer =>
  errorBody(400, "bad_request", code, sentence)

/** The answer when Mercado Pago itself fails. */
export const failure: SimulatedAnswer = errorBody(500, "internal_error", null, "Internal server error")
