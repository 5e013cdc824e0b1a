import { defineTable, int8, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Decisions about a number in a UTC month (`2026-01`), each made once. */
export const phoneMonthsTable = defineTable("phone_months", {
  owner: "phone-months",
  erasure: money,
  reset: "changed",
  key: ["phone_number_id", "month", "step"],
  columns: {
    phone_number_id: text,
    month: text,
    step: textOf<"rental" | "management" | "disable" | "release">(),
    account_id: text,
    environment_id: text,
    amount: nullable(int8),
    decided_at: timestamptz
  }
})

/** The columns of a decision about a month. */
export const monthColumns = select(phoneMonthsTable, "phone_number_id", "month", "step", "amount")
