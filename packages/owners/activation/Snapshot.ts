import { one } from "@carteiro/tables/Read.ts"
import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Saves the levels of an owner that are written behind, such as buckets. A crash may lose their last seconds. */
const saveSnapshot = defineInsert({
  name: "owner_levels.save",
  table: "owner_levels",
  columns: { owner_type: "text", owner_id: "text", levels: "text", saved_at: "timestamptz" },
  conflict: { on: ["owner_type", "owner_id"], update: ["levels", "saved_at"] },
  target: rowOf("owner_levels", "owner_type", "owner_id")
})

/** Returns the row that saves the levels of an owner; `saved_at` in epoch milliseconds. */
export const snapshotRow = (owner_type: string, owner_id: string, levels: string, saved_at: number): Row =>
  saveSnapshot.row({ owner_type, owner_id, levels, saved_at })

/** Returns the snapshot that was saved last; undefined when there is none. */
export const loadSnapshot = (sql: SqlClient.SqlClient, type: string, id: string): Effect.Effect<string | undefined> =>
  Effect.map(
    one(
      sql<{ readonly levels: string }>`select levels from owner_levels where owner_type = ${type} and owner_id = ${id}`
    ),
    (row) => row?.levels
  )
