import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidBillingQuery, RateCardNotFound } from "./BillingErrors.ts"
import { listTraits, readTraits } from "./BillingTraits.ts"

/** The price of one meter. gaps-3 E "Rate card entry" */
const RateCardEntry = Schema.Struct({
  id: Schema.String.annotate({
    description: "Id of the entry.",
    examples: ["rct_2026_01.message.transport.utility"]
  }),
  object: Schema.Literal("rate_card_entry"),
  meter_id: Schema.String.annotate({ description: "Id of the meter.", examples: ["message.transport.utility"] }),
  display_name: Schema.String.annotate({ description: "Display name of the meter." }),
  unit: Schema.Literals(["message", "payment", "phone_month"]).annotate({
    description: "The unit that the price is for."
  }),
  pricing: Schema.Literals(["per_unit", "percentage"]).annotate({
    description: "A price per unit, or a share of the amount."
  }),
  unit_price_brl: Schema.NullOr(AmountBrl).annotate({ description: "The price of one unit." }),
  rate: Schema.NullOr(Schema.String).annotate({ description: "The share as a fraction: 0.01 is 1%." }),
  multiplier_applies: Schema.Boolean.annotateKey({ description: "Whether the plan's multiplier applies." })
}).annotate({ identifier: "RateCardEntry" })

const rateCardFields = {
  id: Schema.String.annotate({ description: "Id of the rate card.", examples: ["rct_2026_01"] }),
  object: Schema.Literal("rate_card"),
  name: Schema.String.annotate({ description: "Its name." }),
  currency: Schema.Literal("brl"),
  effective_from: Timestamp,
  effective_to: Schema.NullOr(Timestamp).annotate({
    description: "First instant at which the rate card is no longer in effect; null when open-ended."
  }),
  entries: Schema.Array(RateCardEntry).annotate({ description: "Prices by meter." })
}

/** Prices from one instant to another. C-RATE-01 */
export const RateCard = Schema.Struct(rateCardFields).annotate({ identifier: "RateCard" })
export type RateCard = typeof RateCard.Type

/** Routes of prices, present and past. C-RATE-02..05 */
export class RateCardsApi extends HttpApiGroup.make("rate-cards")
  .annotate(OpenApi.Identifier, "rateCards")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        currency: Schema.optionalKey(Schema.Literal("brl")).annotate({ description: "Only brl." })
      },
      success: pageOf(RateCard),
      error: [InvalidBillingQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, listTraits)
      .annotate(OpenApi.Summary, "List rate cards")
      .annotate(OpenApi.Description, "Newest first; earlier prices stay readable."),
    HttpApiEndpoint.get("current", "/current", {
      success: Schema.Struct({ ...rateCardFields, trace_id: TraceId }),
      error: RateCardNotFound.wire
    })
      .annotate(Traits, readTraits)
      .annotate(OpenApi.Summary, "Read the current rate card")
      .annotate(OpenApi.Description, "The rate card in effect now.")
  )
  .prefix("/v1/rate-cards")
  .annotate(OpenApi.Title, "Rate cards")
  .annotate(OpenApi.Description, "Prices in BRL, with the time from which they apply.") {}
