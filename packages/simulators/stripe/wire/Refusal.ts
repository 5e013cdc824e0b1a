import type { SimulatedAnswer } from "../../kit/Routes.ts"

/** The members of Stripe's error object, beside the link to its documentation. */
export interface StripeError {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error"
  readonly code?: string
  readonly message: string
  readonly param?: string
  readonly decline_code?: string
  readonly charge?: string
  readonly payment_intent?: object
  readonly payment_method?: object
  readonly setup_intent?: object
}

/** A refusal on its way to the answer. */
export class Refusal extends Error {
  readonly status: number
  readonly error: StripeError
  /** The name in the log. */
  readonly outcome: string
  readonly facts: Readonly<Record<string, unknown>>

  constructor(status: number, error: StripeError, outcome: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(error.message)
    this.status = status
    this.error = error
    this.outcome = outcome
    this.facts = facts
  }
}

/** Makes the refusal of a parameter. */
export const invalid = (message: string, param?: string, code?: string, outcome = "invalid_request"): Refusal =>
  new Refusal(
    400,
    {
      ...(code === undefined ? undefined : { code }),
      message,
      ...(param === undefined ? undefined : { param }),
      type: "invalid_request_error"
    },
    outcome,
    param === undefined ? {} : { field: param }
  )

/** Makes the refusal of an id that stands in the path (404), or in a parameter (400). */
export const missing = (kind: string, id: string, param = "id"): Refusal =>
  new Refusal(
    param === "id" ? 404 : 400,
    { code: "resource_missing", message: `No such ${kind}: '${id}'`, param, type: "invalid_request_error" },
    "not_found",
    { id }
  )

/** Returns the envelope of an error. */
export const envelope = ({ code, ...rest }: StripeError): object => ({
  error: {
    ...(code === undefined
      ? undefined
      : { code, doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll("_", "-")}` }),
    ...rest
  }
})

/** Returns the answer of a refusal. */
export const answerOf = (refusal: Refusal): SimulatedAnswer => ({
  status: refusal.status,
  body: envelope(refusal.error)
})
