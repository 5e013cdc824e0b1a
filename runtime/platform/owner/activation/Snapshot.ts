import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { defineWrite } from "../../commit/Write.ts"
import { one } from "../../sql/Read.ts"

/** Saves an owner's write-behind levels (buckets). A crash may lose the last seconds of them. */
export const saveSnapshot = defineWrite({
  name: "owner_levels.save",
  columns: { owner_type: "text", owner_id: "text", levels: "text", saved_at: "timestamptz" },
  target: (row) => `owner_levels/${row.owner_type}/${row.owner_id}`,
  sql: (source) => `insert into owner_levels (owner_type, owner_id, levels, saved_at)
    select r.owner_type, r.owner_id, r.levels, r.saved_at from ${source} r order by 1, 2
    on conflict (owner_type, owner_id) do update set levels = excluded.levels, saved_at = excluded.saved_at`
})

/** What was saved last, if anything. */
export const loadSnapshot = (sql: SqlClient.SqlClient, type: string, id: string): Effect.Effect<string | undefined> =>
  Effect.map(
    one(
      sql<{ readonly levels: string }>`select levels from owner_levels where owner_type = ${type} and owner_id = ${id}`
    ),
    (row) => row?.levels
  )
