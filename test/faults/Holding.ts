import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

const session = (url: string) => Sql.layer(url, { applicationName: "carteiro-faults", maxConnections: 1 })

/** Locks a row of a table as somebody else's long transaction would; answers whether there was one. */
export const holdRow = (url: string, table: "contacts" | "webhook_endpoints", millis: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.tap(
        Effect.map(
          sql`select 1 from ${sql(table)} order by updated_at desc limit 1 for update`,
          (rows) => rows.length === 1
        ),
        Effect.sleep(Duration.millis(millis))
      )
    )
  ).pipe(Effect.provide(session(url), { local: true }), Effect.orDie)

/** No release has as many migrations. */
const firstOfOurs = 9000

/** Changes the shape of the table everybody writes to, while somebody reads it as a dump does. */
export const migrateBehindDump = (url: string, millis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-faults-migration-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    const text = "alter table messages add column faults int4; alter table messages drop column faults;"
    yield* Effect.sync(() => writeFileSync(join(folder, `${firstOfOurs}_faults.sql`), text))
    const running = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select 1 from messages limit 1`
        const migrating = yield* Effect.forkDetach(Effect.provide(migrate(folder), session(url), { local: true }))
        yield* Effect.sleep(Duration.millis(millis))
        return migrating
      })
    )
    yield* Fiber.join(running)
    yield* sql`delete from schema_migrations where id >= ${firstOfOurs}`
  }).pipe(Effect.scoped, Effect.provide(session(url), { local: true }), Effect.orDie)
