import { bool, defaulted, defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** The new recipients of a number within the last 24 hours. `uses` counts the sends under a slot that the platform did not refuse. */
export const allowanceSlotsTable = defineTable("allowance_slots", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "business_id", "customer_key"],
  columns: {
    environment_id: text,
    business_id: text,
    customer_key: text,
    expires_at: timestamptz,
    uses: int4,
    lender_id: nullable(text)
  }
})

/** The instant at which a number with held messages looks next; null while it holds none. */
export const numberPacingTable = defineTable("number_pacing", {
  owner: "messages",
  erasure: ids,
  key: ["environment_id", "business_id"],
  columns: {
    environment_id: text,
    business_id: text,
    due_at: nullable(timestamptz)
  }
})

/** The part of its portfolio's allowance that a number may fill. Decision 0150 */
export const portfolioLeasesTable = defineTable("portfolio_leases", {
  owner: "messages",
  erasure: ids,
  key: ["portfolio_id", "business_id"],
  columns: {
    portfolio_id: text,
    business_id: text,
    quota: int4,
    allowance: int4,
    limit_revision: defaulted(int4),
    cap: nullable(int4),
    needed: defaulted(int4),
    wanted: defaulted(int4),
    request_allowance: defaulted(int4),
    requested_at: nullable(timestamptz),
    due_at: nullable(timestamptz),
    short_at: nullable(timestamptz),
    recalled_at: nullable(timestamptz),
    is_recalled: defaulted(bool),
    left_at: nullable(timestamptz)
  }
})

/**
 * SQL: when the number `n` of a lease `l` left the portfolio for good; null while the portfolio has not seen it leave. It may have
 * come back and left again since the portfolio looked, so the number's own last change counts.
 */
export const leftAtOf = "case when l.left_at is not null then greatest(l.left_at, n.portfolio_changed_at) end"
