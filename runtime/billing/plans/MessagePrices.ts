import type { TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import { Context, Effect, Layer } from "effect"
import { unitPrice } from "../prices/Price.ts"
import { RateCardRepo } from "../prices/RateCardRepo.ts"
import { AccountPlans } from "./AccountPlans.ts"

/** Reads what a message costs an account, for other rooms. gaps-3 E "net_transport_rate_brl" */
export class MessagePrices extends Context.Service<
  MessagePrices,
  {
    /**
     * Returns the price in 1/10,000 BRL of a message by the category of its template, `service` without one, under the
     * plan of its account and before any package; undefined while no card in effect at `at` (epoch milliseconds) has
     * one. C-PLAN-09
     */
    ofMessage(accountId: string, category: TemplateCategory | "service", at: number): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/billing/plans/MessagePrices") {
  static readonly layer = Layer.effect(
    MessagePrices,
    Effect.gen(function* () {
      const cards = yield* RateCardRepo
      const plans = yield* AccountPlans
      return MessagePrices.of({
        ofMessage: Effect.fnUntraced(function* (accountId, category, at) {
          const card = yield* cards.at(at)
          const entry = card?.entries.find(({ meter_id }) => meter_id === `message.transport.${category}`)
          return entry && unitPrice(entry, (yield* plans.inForce(accountId)).multiplier)
        })
      })
    })
  ).pipe(Layer.provide([RateCardRepo.layer, AccountPlans.layer]))
}
