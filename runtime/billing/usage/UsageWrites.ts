import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { usageRecordsTable } from "./UsageTables.ts"

/** Inserts usage to be charged; a meter counts one source once. gaps-2 B "When a message is charged" */
export const insertUsage = insertInto(usageRecordsTable, {
  columns: [
    "organization_id",
    "id",
    "project_id",
    "environment_id",
    "meter_id",
    "source_type",
    "source_id",
    "phone_number_id",
    "occurred_at"
  ],
  conflict: { on: ["source_id", "meter_id"] }
})

/** Inserts usage that is charged in its own commit, such as a fee. */
export const insertPostedUsage = insertInto(usageRecordsTable, {
  name: "usage_records.insert_posted",
  columns: [
    "organization_id",
    "id",
    "project_id",
    "environment_id",
    "meter_id",
    "source_type",
    "source_id",
    "occurred_at",
    "posted_at"
  ]
})

/** Marks usage as charged, with the ids of its entries. */
export const postUsage = updateOf(usageRecordsTable, {
  name: "usage_records.post",
  set: ["posted_at"]
})
