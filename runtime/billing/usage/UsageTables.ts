import { defaulted, defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Usage to be paid for, appended by the commit that caused it and posted by billing. */
export const usageRecordsTable = defineTable("usage_records", {
  owner: "billing",
  erasure: money,
  reset: "changed",
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    project_id: text,
    environment_id: text,
    meter_id: text,
    source_type: text,
    source_id: text,
    phone_number_id: nullable(text),
    quantity: defaulted(int8),
    occurred_at: timestamptz,
    posted_at: nullable(timestamptz)
  }
})
