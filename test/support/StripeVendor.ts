import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { CardProcessor, CardWebhooks } from "@carteiro/provider/payments/CardProvider.ts"
import { makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { stripeWebhooks } from "@carteiro/provider-stripe/StripeWebhooks.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { type StripeSimulator, startStripe } from "@carteiro/simulators/stripe/Simulator.ts"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { vendorCalls } from "./Vendors.ts"

/** The key and the webhook secret of the simulated Stripe account. */
export const stripeKey = "sk_test_carteiro"
export const stripeSecret = "whsec_carteiro"

const startedAt = (now: () => number) =>
  Effect.acquireRelease(
    Effect.promise(() => startStripe({ apiKey: stripeKey, webhookSecret: stripeSecret, now })),
    (simulator) => Effect.promise(() => simulator.close())
  )

/** A simulated Stripe account while the scope is open. */
export const simulatedStripe = startedAt(vendorClock)

/** The account of a product under test; it uses the product's clock. */
export class StripeAccount extends Context.Service<StripeAccount, StripeSimulator>()(
  "@carteiro/test/support/StripeAccount"
) {
  static readonly layer = Layer.effect(
    StripeAccount,
    Effect.flatMap(Clock.Clock, (clock) => startedAt(() => clock.currentTimeMillisUnsafe()))
  )
}

/** The adapter that calls it over sockets, and how its webhooks are read; its calls end after a second. */
export const stripeAdapter = Layer.merge(
  Layer.succeed(CardWebhooks, stripeWebhooks),
  Layer.effect(
    CardProcessor,
    Effect.flatMap(StripeAccount, ({ url }) =>
      makeStripe({ url: operatorUrl(url), apiKey: Redacted.make(stripeKey), totalTimeoutMs: 1000 })
    )
  )
).pipe(Layer.provide(vendorCalls()))
