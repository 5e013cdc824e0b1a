import { defineTable, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../erasure/Standings.ts"

/** Outward work that waits for an operator's decision after a restore. */
export const restoreHoldsTable = defineTable("restore_holds", {
  owner: "restore",
  erasure: ids,
  key: ["kind", "scope", "id"],
  columns: {
    kind: text,
    scope: text,
    id: text,
    due_at: nullable(timestamptz),
    held_at: timestamptz
  }
})

/** Restores of the database. Decision 0066 */
export const restoresTable = defineTable("restores", {
  owner: "restore",
  erasure: ids,
  key: ["restored_to"],
  columns: {
    restored_to: timestamptz,
    accepted_at: timestamptz
  }
})

/** The columns of work that is held. */
export const heldColumns = select(restoreHoldsTable, "kind", "scope", "id", "due_at", "held_at")
