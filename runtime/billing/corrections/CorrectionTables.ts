import { defineTable, int8, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Credits and debits by operators, each with its reason; the owner of the account posts it. */
export const ledgerCorrectionsTable = defineTable("ledger_corrections", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    type: textOf<"credit" | "debit">(),
    source: text,
    amount: int8,
    reason: text,
    created_at: timestamptz,
    posted_at: nullable(timestamptz)
  }
})

/** The columns of a correction that is to be posted. */
export const correctionColumns = select(ledgerCorrectionsTable, "id", "type", "source", "amount")
