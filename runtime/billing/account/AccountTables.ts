import { defineTable, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Months whose charge left the balance below zero, for a number (`pn_…`) or for all rentals (`rental`); closed for good once it is not. */
export const unpaidMonthsTable = defineTable("unpaid_months", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "month", "subject"],
  columns: {
    account_id: text,
    month: text,
    subject: text,
    opened_at: timestamptz,
    closed_at: nullable(timestamptz)
  }
})
