import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

/** Inserts usage to be charged; a meter counts one source once. gaps-2 B "When a message is charged" */
export const insertUsage = defineInsert({
  table: "usage_records",
  columns: {
    organization_id: "text",
    id: "text",
    project_id: "text",
    environment_id: "text",
    meter_id: "text",
    source_type: "text",
    source_id: "text",
    phone_number_id: "text",
    occurred_at: "timestamptz"
  },
  conflict: { on: ["source_id", "meter_id"] }
})

/** Inserts usage that is charged in its own commit, such as a fee. */
export const insertPostedUsage = defineInsert({
  name: "usage_records.insert_posted",
  table: "usage_records",
  columns: {
    organization_id: "text",
    id: "text",
    project_id: "text",
    environment_id: "text",
    meter_id: "text",
    source_type: "text",
    source_id: "text",
    occurred_at: "timestamptz",
    posted_at: "timestamptz"
  }
})

/** Marks usage as charged, with the ids of its entries. */
export const postUsage = defineUpdate({
  name: "usage_records.post",
  table: "usage_records",
  key: { organization_id: "text", id: "text" },
  set: { posted_at: "timestamptz" },
  target: rowOf("usage_records", "organization_id", "id")
})
