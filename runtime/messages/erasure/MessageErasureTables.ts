import { defineTable, text } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** The message of an environment up to which the sweep of payloads has come. */
export const messageSweepsTable = defineTable("message_sweeps", {
  owner: "messages",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    swept_to: text
  }
})
