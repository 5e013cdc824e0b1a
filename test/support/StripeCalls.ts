import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { Effect, Redacted } from "effect"
import { answeredCalls, type GivenAnswer, type SeenCall } from "./AnsweredCalls.ts"

/** The adapter over an outbound stack that opens no socket, answers by a function, and keeps every call. */
export const stripeOver = (
  answer: (call: SeenCall, count: number) => GivenAnswer
): Effect.Effect<{ readonly provider: CardProvider; readonly calls: ReadonlyArray<SeenCall> }> => {
  const { calls, seen } = answeredCalls(answer)
  return makeStripe({ url: operatorUrl("https://stripe.invalid"), apiKey: Redacted.make("sk_test_1") }).pipe(
    Effect.provideService(Calls, calls),
    Effect.map((provider) => ({ provider, calls: seen }))
  )
}

/** A charge as Stripe shows it, as far as the adapter reads it. */
export const intentOf = (external_id: string, more: object = {}) => ({
  id: `pi_${external_id}`,
  object: "payment_intent",
  amount: 4500,
  currency: "brl",
  customer: "cus_1",
  status: "succeeded",
  client_secret: `pi_${external_id}_secret`,
  created: 1_767_225_600,
  latest_charge: { id: "ch_1", object: "charge", amount: 4500, amount_refunded: 0, refunded: false, disputed: false },
  metadata: { external_id },
  ...more
})
