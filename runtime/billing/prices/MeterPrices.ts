import { Context, Effect, Layer } from "effect"
import { RateCardRepo } from "./RateCardRepo.ts"

/** Reads the price of a unit of a meter, for other rooms. gaps-3 E "Rate card seed" */
export class MeterPrices extends Context.Service<
  MeterPrices,
  {
    /**
     * Returns the price in 1/10,000 BRL at an instant in epoch milliseconds; undefined while no card in effect has a
     * price for the meter.
     */
    unitPrice(meterId: string, at: number): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/billing/prices/MeterPrices") {
  static readonly layer = Layer.effect(
    MeterPrices,
    Effect.map(RateCardRepo, (cards) =>
      MeterPrices.of({
        unitPrice: (meterId, at) =>
          Effect.map(
            cards.at(at),
            (card) => card?.entries.find(({ meter_id }) => meter_id === meterId)?.unit_price ?? undefined
          )
      })
    )
  ).pipe(Layer.provide(RateCardRepo.layer))
}
