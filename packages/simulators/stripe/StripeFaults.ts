import type { Faults } from "../kit/Faults.ts"
import type { Call, SimulatedAnswer } from "../kit/Routes.ts"
import { signedWebhookFaults } from "../kit/SignedWebhooks.ts"
import { lostCallNames } from "../kit/Strikes.ts"
import type { StripeOperation } from "./Vendor.ts"
import { keyInUse } from "./wire/IdempotencyKeys.ts"
import { answerOf, envelope, invalid, missing, Refusal } from "./wire/Refusal.ts"

/** The account's refusals by the names of the bridge's simulator. */
const refusals: Readonly<Record<string, (key: string) => Refusal>> = {
  credentials_invalid: () =>
    new Refusal(
      401,
      { message: "Invalid API Key provided: sk_test_****ated", type: "invalid_request_error" },
      "credentials_invalid"
    ),
  invalid_request: () => invalid("simulated"),
  not_found: () => missing("object", "simulated"),
  card_declined: () =>
    new Refusal(
      402,
      {
        code: "card_declined",
        decline_code: "generic_decline",
        message: "Your card was declined.",
        type: "card_error"
      },
      "card_declined"
    ),
  payment_method_not_attached: () =>
    invalid(
      "The customer does not have a payment method with the ID pm_simulated. The payment method must be attached to " +
        "the customer.",
      "payment_method",
      "resource_missing",
      "payment_method_not_attached"
    ),
  idempotency_conflict: (key) =>
    new Refusal(
      400,
      {
        message:
          "Keys for idempotent requests can only be used with the same parameters they were first used with. Try " +
          `using a key other than '${key}' if you meant to execute a different request.`,
        type: "idempotency_error"
      },
      "idempotency_conflict"
    ),
  idempotency_key_in_use: keyInUse,
  rate_limited: () =>
    new Refusal(
      429,
      { code: "rate_limit", message: "Too many requests hit the API too quickly.", type: "invalid_request_error" },
      "rate_limited"
    )
}

/**
 * Every fault by name. Beside refusals, lost calls and webhooks: `delay` answers, and `webhook_first` answers after the
 * webhooks, `value` milliseconds late; `error_500_kept` answers an error that repeats under the key answer again;
 * `lagging_lookup` hides payments made less than `value` milliseconds ago from lists and searches; `unfiltered_lookup`
 * lists the payments of others; `other_amount` shows a payment with another amount.
 */
export const stripeFaultNames = [
  ...Object.keys(refusals),
  ...lostCallNames,
  ...signedWebhookFaults,
  "error_500_kept",
  "webhook_first",
  "delay",
  "processing",
  "declined",
  "other_amount",
  "lands_late",
  "pays_after_decline",
  "lagging_lookup",
  "unfiltered_lookup",
  "refund_pending",
  "refund_fails"
]

/** The end of a call with a fault. */
export interface Struck {
  readonly name: string
  /** The response; undefined when the call is left unanswered. */
  readonly answer: SimulatedAnswer | undefined
}

/** The answer of a broken server. */
export const brokenServer: SimulatedAnswer = {
  status: 500,
  body: envelope({ message: "An unknown error occurred: simulated", type: "api_error" })
}

/** Returns the refusal or the lost call that a fault causes before the effect. */
export const strikeBefore = (faults: Faults, operation: StripeOperation, call: Call): Struck | undefined => {
  const fault = faults.hit([...Object.keys(refusals), "timeout", "reset", "error_500"], { operation })
  if (fault === undefined) return undefined
  const refuse = refusals[fault.name]
  if (refuse === undefined) return { name: fault.name, answer: lost(fault.name, call) }
  const answer = answerOf(refuse(String(call.headers["idempotency-key"] ?? "")))
  const headers = answer.status === 429 ? { "retry-after": String(fault.value ?? 1) } : {}
  return { name: fault.name, answer: { ...answer, headers } }
}

/** Returns the lost response that a fault causes after the effect. */
export const strikeAfter = (faults: Faults, operation: StripeOperation, call: Call): Struck | undefined => {
  const fault = faults.hit(["timeout_after", "reset_after", "error_500_after"], { operation })
  return fault && { name: fault.name, answer: lost(fault.name, call) }
}

const lost = (name: string, { response }: Call): SimulatedAnswer | undefined => {
  if (name.startsWith("error_500")) return brokenServer
  if (name.startsWith("reset")) response.destroy()
  return undefined
}
