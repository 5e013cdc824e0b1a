import { directory, migrate } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { sqlErrorsOf } from "@carteiro/tables/SqlFailure.ts"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"
import type { SettingsValues } from "./Settings.ts"
import { type AskedDatabase, databaseRefused } from "./StartProblems.ts"
import type { StartRefused } from "./StartRefused.ts"
import { StartSteps } from "./StartSteps.ts"

/** The database that a process runs on. */
export interface Database extends AskedDatabase {
  /** The address as other programs on this machine would write it. */
  readonly shownUrl: string
  /** Fails when the embedded server ended and cannot be started again; another server may come back at any time. */
  readonly lost: Effect.Effect<never, StartRefused>
}

/**
 * The database of DATABASE_URL, else the embedded one of the data directory, which runs until the scope closes. With
 * `share`, one that another process runs is used beside it. An embedded one takes so many connections at least.
 */
export const openDatabase = Effect.fn("Database.open")(function* (
  settings: Pick<SettingsValues, "databaseUrl" | "dataDir">,
  share = false,
  connections = 0
) {
  if (settings.databaseUrl !== undefined) {
    const url = Redacted.value(settings.databaseUrl)
    return { url, shownUrl: url, log: undefined, lost: Effect.never } satisfies Database
  }
  const embedded = yield* EmbeddedPostgres.acquire({ dataDir: settings.dataDir, share, connections })
  return { ...embedded, url: embedded.socketUrl ?? embedded.url, shownUrl: embedded.url } satisfies Database
})

/** Brings the schema at rest up to date, and answers the names of the files that ran. */
export const bringUpToDate = Effect.fn("Database.bringUpToDate")(function* (
  database: Database,
  settings: Pick<SettingsValues, "migrationLockWaitMs">
) {
  const tellStep = yield* StartSteps
  const tellPending = (pending: number) =>
    Effect.sync(() =>
      tellStep(`bringing the database up to date: ${pending} ${pending === 1 ? "migration" : "migrations"}`)
    )
  return yield* withDatabase(database, migrate(directory, settings.migrationLockWaitMs, tellPending))
})

/** Runs a statement or two before anything else is there; a database that refuses them is told in one line. */
export const withDatabase = <A, E, R>(database: Database, use: Effect.Effect<A, E, R>) =>
  // Asked first, so that a database nobody can reach is not taken for a migration that failed.
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.andThen(sql`select 1`, use)).pipe(
    Effect.provide(Sql.layer(database.url, { applicationName: "carteiro-migrate", maxConnections: 2 })),
    (run) => tellDatabase(database, run)
  )

/** Turns a failure that the database caused, typed or not, into the line that names the setting. */
export const tellDatabase = <A, E, R>(
  database: AskedDatabase,
  run: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StartRefused, R> =>
  Effect.catchCause(run, (cause): Effect.Effect<never, E | StartRefused> => {
    const [error] = sqlErrorsOf(cause)
    return error === undefined ? Effect.failCause(cause) : databaseRefused(database, error)
  })
