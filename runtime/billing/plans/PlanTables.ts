import { bool, defineTable, int4, int8, nullable, select, text, textOf } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"
import type { PlanTerms } from "./PlanTerms.ts"

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
    throughput_tier: textOf<PlanTerms["throughput_tier"]>(),
    max_phones: nullable(int4),
    multiplier: int8,
    numprov_byok_enabled: bool
  }
})

/** The columns of a plan of the catalog. */
export const planColumns = select(
  planOfferingsTable,
  "id",
  "code",
  "display_name",
  "monthly_fee",
  "annual_fee",
  "throughput_tier",
  "max_phones",
  "multiplier",
  "numprov_byok_enabled"
)
