import { defineTable, text } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** The ids of contacts that were joined to another contact, which they read as. Decision 0135 */
export const contactAliasesTable = defineTable("contact_aliases", {
  owner: "contacts",
  erasure: ids,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    contact_id: text
  }
})
