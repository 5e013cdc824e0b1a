import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { withinPatience } from "@carteiro/tables/Deadline.ts"
import { directory, migrate } from "@carteiro/tables/Migrations.ts"
import { compare } from "@carteiro/tables/Replica.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { failureText, sqlErrorsOf } from "@carteiro/tables/SqlFailure.ts"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { continueActivityNumbers } from "../activity/Activity.ts"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"
import { refusePoolers } from "./Poolers.ts"
import type { SettingsValues } from "./Settings.ts"
import { type AskedDatabase, databaseRefused } from "./StartProblems.ts"
import { StartRefused } from "./StartRefused.ts"
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

/**
 * Brings the schema at rest up to date, and what it holds of the database cluster that it was in; answers the names of
 * the files that ran. Refuses a pooler that breaks promises, and tells how its sizes suit a node of so many `sessions`.
 */
export const bringUpToDate = Effect.fn("Database.bringUpToDate")(function* (
  database: Database,
  settings: Pick<SettingsValues, "migrationLockWaitMs">,
  sessions?: number
) {
  // Before any statement, since behind some poolers a migration waits for ever.
  if (database.log === undefined) yield* tellDatabase(database, refusePoolers(database.url, sessions))
  const tellStep = yield* StartSteps
  const tellPending = (pending: number) =>
    Effect.sync(() =>
      tellStep(`bringing the database up to date: ${pending} ${pending === 1 ? "migration" : "migrations"}`)
    )
  return yield* withDatabase(
    database,
    Effect.tap(migrate(directory, settings.migrationLockWaitMs, tellPending), () => continueActivityNumbers)
  )
})

/** Refuses a replica that answers and is no standby of the database. One that does not answer may come later. */
export const checkReplica = Effect.fn("Database.checkReplica")(function* (
  database: Database,
  { readDatabaseUrl }: Pick<SettingsValues, "readDatabaseUrl">
) {
  if (readDatabaseUrl === undefined) return
  const found = yield* compareReplica(database.url, readDatabaseUrl, "carteiro-start")
  if (found._tag === "Failure") {
    return yield* Effect.logWarning("the replica does not answer; lists are read from the primary", {
      problem: failureText(found.failure)
    })
  }
  const { problem } = found.success
  if (problem === undefined) return
  const message = `CARTEIRO_READ_DATABASE_URL: expected a standby of DATABASE_URL, but ${problem}; correct it, or leave it out`
  return yield* new StartRefused({ message })
})

/** Compares the replica of the settings with its primary over a connection of each. */
export const compareReplica = (url: string, replica: Redacted.Redacted, applicationName: string) => {
  const open = (at: string) =>
    Effect.map(
      Layer.build(Sql.layer(at, { applicationName, maxConnections: 1, limits: servingLimits, readOnly: true })),
      Context.get(SqlClient.SqlClient)
    )
  return Effect.all([open(url), open(Redacted.value(replica))]).pipe(
    Effect.flatMap(([primary, standby]) => withinPatience(compare(primary, standby), servingLimits.statementMs)),
    Effect.scoped,
    Effect.result
  )
}

/** The time for a connection of a start to open, in milliseconds; requests have less. */
const openMs = 20_000

/**
 * Runs a statement or two before anything else is there; a database that refuses them is told in one line. A start waits
 * for a server that is slow or not ready yet.
 */
export const withDatabase = <A, E, R>(database: Database, use: Effect.Effect<A, E, R>) =>
  // Asked first, so that an unreachable database is not reported as a failed migration.
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.andThen(sql`select 1`, use)).pipe(
    Effect.provide(
      Sql.layer(database.url, { applicationName: "carteiro-migrate", maxConnections: 2, connectTimeoutMs: openMs })
    ),
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
