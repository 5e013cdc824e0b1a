import type { TableGauge } from "@carteiro/owners/DueWork.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const size = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  one(sql<{ readonly bytes: number }>`select pg_database_size(current_database()) as bytes`)
)

/** Gauges of the database as a whole. Free space is the machine's to tell: PostgreSQL does not know it. */
export const databaseGauges: ReadonlyArray<TableGauge> = [
  {
    name: "database_size_bytes",
    help: "Bytes of the database on its disk, the log left out",
    read: () => Effect.map(size, (row) => ({ "": row?.bytes ?? Number.NaN }))
  }
]
