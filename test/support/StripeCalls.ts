import { type CallRequest, Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { Effect, Redacted } from "effect"

/** A call as it would go out: its form decoded. */
export interface SeenCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: URLSearchParams
}

/** An answer to a call; `broken` when there is none. */
export type GivenAnswer = readonly [status: number, body: unknown, headers?: Record<string, string>] | "broken"

/** The adapter over an outbound stack that opens no socket, answers by a function, and keeps every call. */
export const stripeOver = (
  answer: (call: SeenCall, count: number) => GivenAnswer
): Effect.Effect<{ readonly provider: CardProvider; readonly calls: Array<SeenCall> }> => {
  const seen: Array<SeenCall> = []
  const call = ({ body, headers, method, url }: CallRequest) =>
    Effect.sync(() => {
      const { path } = url.target
      const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : ""
      const one = { method, path, headers, form: new URLSearchParams(text || path.split("?")[1]) }
      seen.push(one)
      const given = answer(one, seen.length)
      if (given === "broken") return { _tag: "Broken" as const, began: true }
      const [status, json, more] = given
      const bytes = Buffer.from(typeof json === "string" ? json : JSON.stringify(json))
      return { _tag: "Answered" as const, status, headers: { ...more }, bytes, isCut: false }
    })
  const calls = Calls.of({ call, open: () => Effect.undefined, tenantUrl: () => undefined })
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
