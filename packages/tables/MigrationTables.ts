import { defineTable, int4, text, timestamptz } from "./Table.ts"

/** Migrations that were applied. */
export const schemaMigrationsTable = defineTable("schema_migrations", {
  owner: "tables",
  erasure: { holds: "ids, instants and counts" },
  key: ["id"],
  columns: {
    id: int4,
    name: text,
    applied_at: timestamptz,
    sha256: text
  }
})
