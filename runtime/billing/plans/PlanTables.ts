import { bool, defineTable, int4, int8, nullable, text } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Plans on sale. `multiplier` is in ten-thousandths. */
export const planOfferingsTable = defineTable("plan_offerings", {
  owner: "billing",
  erasure: money,
  key: ["id"],
  columns: {
    id: text,
    code: text,
    display_name: text,
    monthly_fee: int8,
    annual_fee: int8,
    throughput_tier: text,
    max_phones: nullable(int4),
    multiplier: int8,
    numprov_byok_enabled: bool
  }
})
