import { date, defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** One audit of the ledger a UTC day; it repairs nothing. */
export const ledgerAuditsTable = defineTable("ledger_audits", {
  owner: "billing",
  erasure: money,
  key: ["day"],
  columns: {
    day: date,
    started_at: timestamptz,
    ended_at: nullable(timestamptz),
    invariants_broken: nullable(int4),
    findings: nullable(text)
  }
})
