import { defineTable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Batches that are being uploaded; an abandoned one is swept. */
export const batchStagesTable = defineTable("batch_stages", {
  owner: "batches",
  erasure: ids,
  key: ["environment_id", "batch_id"],
  columns: {
    environment_id: text,
    batch_id: text,
    staged_at: timestamptz
  }
})
