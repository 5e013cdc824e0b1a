import {
  bool,
  defaulted,
  defineTable,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** The price of each meter in a rate card. */
export const rateCardEntriesTable = defineTable("rate_card_entries", {
  owner: "billing",
  erasure: money,
  key: ["rate_card_id", "meter_id"],
  columns: {
    rate_card_id: text,
    meter_id: text,
    display_name: text,
    unit: textOf<"message" | "payment" | "phone_month">(),
    unit_price: nullable(int8),
    rate: nullable(int8),
    multiplier_applies: bool
  }
})

/** Price lists, by the instant from which they hold. */
export const rateCardsTable = defineTable("rate_cards", {
  owner: "billing",
  erasure: money,
  key: ["id"],
  columns: {
    id: text,
    name: text,
    currency: defaulted(text),
    effective_from: timestamptz,
    effective_to: nullable(timestamptz)
  }
})

/** The columns of the price of one meter. */
export const priceColumns = select(
  rateCardEntriesTable,
  "rate_card_id",
  "meter_id",
  "display_name",
  "unit",
  "unit_price",
  "rate",
  "multiplier_applies"
)

/** The columns of a price list. */
export const rateCardColumns = select(rateCardsTable, "id", "name", "effective_from", "effective_to")
