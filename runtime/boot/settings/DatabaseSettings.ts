import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { standardLockWaitMs } from "@carteiro/tables/Migrations.ts"
import * as Readers from "./Readers.ts"
import { optional, redacted, withDefault } from "./Rows.ts"

const millis = (name: string, standard: number, least: number, most: number, about: string) =>
  withDefault(name, String(standard), Readers.wholeNumber(least, most), `${about}, in milliseconds`)

/** How much of PostgreSQL a process takes, and how long it lets it work. Architecture, section 9 */
export const databaseSettings = {
  readDatabaseUrl: optional(
    "CARTEIRO_READ_DATABASE_URL",
    "none",
    redacted(Readers.serverUrl),
    "a standby of DATABASE_URL that answers lists, logs and exports of the API",
    { secret: true }
  ),
  readDatabaseLagMs: millis(
    "CARTEIRO_READ_DATABASE_LAG_MS",
    5000,
    1500,
    600_000,
    "a standby that is further behind answers nothing, and lists are read from DATABASE_URL"
  ),
  databasePool: withDefault(
    "CARTEIRO_DATABASE_POOL",
    "12",
    Readers.wholeNumber(6, 1000),
    "connections of a process for statements; three more hold its locks, two more watch each of several servers"
  ),
  databaseStatementMs: millis(
    "CARTEIRO_DATABASE_STATEMENT_MS",
    servingLimits.statementMs,
    500,
    60_000,
    "a statement that runs longer is ended, and its caller answered 503"
  ),
  databaseLockMs: millis(
    "CARTEIRO_DATABASE_LOCK_MS",
    servingLimits.lockMs,
    50,
    5000,
    "a commit waits so long for a row that somebody else holds before it is written without it"
  ),
  migrationLockWaitMs: millis(
    "CARTEIRO_MIGRATION_LOCK_WAIT_MS",
    standardLockWaitMs,
    0,
    dayMs,
    "how long migrations try for the locks they need"
  )
}

/** Returns the limits at which PostgreSQL ends statements and waits for locks of a process by itself. */
export const connectionLimits = (settings: {
  readonly databaseStatementMs: number
  readonly databaseLockMs: number
}) => ({ ...servingLimits, statementMs: settings.databaseStatementMs, lockMs: settings.databaseLockMs })
