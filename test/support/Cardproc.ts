import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { makeCardproc } from "@carteiro/provider-cardproc/Cardproc.ts"
import { type CardprocSimulator, startCardproc } from "@carteiro/simulators/cardproc/Simulator.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { vendorCalls } from "./Vendors.ts"

/** The key and the webhook secret of the simulated processor. */
export const cardprocKey = "cardproc-key"
export const cardprocSecret = "cardproc-webhook-secret"

/** A simulated card processor while the scope is open. */
export const simulatedCardproc = startedAt(vendorClock)

function startedAt(now: () => number) {
  return Effect.acquireRelease(
    Effect.promise(() => startCardproc({ apiKey: cardprocKey, webhookSecret: cardprocSecret, now })),
    (simulator) => Effect.promise(() => simulator.close())
  )
}

/** The processor of a product under test; it uses the product's clock. */
export class Cardproc extends Context.Service<Cardproc, CardprocSimulator>()("@carteiro/test/support/Cardproc") {
  static readonly layer = Layer.effect(
    Cardproc,
    Effect.flatMap(Clock.Clock, (clock) => startedAt(() => clock.currentTimeMillisUnsafe()))
  )
}

/** The adapter that calls it over sockets; its calls end after a second. */
export const cardprocAdapter = Layer.effect(
  CardProcessor,
  Effect.flatMap(Cardproc, ({ url }) =>
    makeCardproc({ url: operatorUrl(url), apiKey: Redacted.make(cardprocKey), totalTimeoutMs: 1000 })
  )
).pipe(Layer.provide(vendorCalls()))

/** A processor for products whose tests do not use it. */
export const simulatedCards: Layer.Layer<never> = cardprocAdapter.pipe(
  Layer.provide(Layer.effect(Cardproc, simulatedCardproc))
)
