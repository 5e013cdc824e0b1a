import { defaulted, defineTable, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** The jobs of an account in a UTC month (`2026-01`): the calendar inserts them, and the account executes them when due. */
export const accountMonthsTable = defineTable("account_months", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "month", "job"],
  columns: {
    account_id: text,
    month: text,
    job: text,
    due_at: timestamptz,
    done_at: nullable(timestamptz)
  }
})

/** The progress of the calendar with a job of a month: the account that it inserted last. */
export const calendarMonthsTable = defineTable("calendar_months", {
  owner: "billing",
  erasure: money,
  key: ["job", "month"],
  columns: {
    job: text,
    month: text,
    reached: defaulted(text),
    done_at: nullable(timestamptz)
  }
})
