import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Clock, Data, Effect, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { instant } from "./Parameters.ts"
import { failureText } from "./SqlFailure.ts"

/** The reason why the schema at rest cannot be brought up to date; the message is one line that names the file. */
class MigrationRefused extends Data.TaggedError("MigrationRefused")<{ readonly message: string }> {}

/** The product's own migrations: `schema/database/NNNN_name.sql`. */
export const directory = fileURLToPath(new URL("../../schema/database", import.meta.url))

/** The schema as it is, for readers; `SchemaText.ts` makes it, and no migration reads it. */
export const schemaFile = join(directory, "schema.sql")

/** Returns the names of the migrations in a folder, in their order; throws when it cannot be read. */
export const migrationNames = (from: string = directory): ReadonlyArray<string> =>
  readdirSync(from)
    .filter((name) => name.endsWith(".sql") && name !== "schema.sql")
    .sort()

/**
 * Runs every file that is not recorded yet, in order of number, each in one transaction with its record in
 * `schema_migrations`. Returns the names of the files it ran. Any number of nodes may call it at once, because an
 * advisory lock lets one file run at a time. Refuses an applied file whose text has changed, and a new file numbered
 * below an applied one. Files run inside a transaction, so they cannot use `create index concurrently`. A file waits
 * for locks in short tries, because commits queue behind a waiting lock; it is refused once `lockWaitMs` have passed.
 * `tellPending` receives the number of files to run, unless there are none.
 */
export const migrate = Effect.fn("Migrations.migrate")(function* (
  from: string = directory,
  lockWaitMs: number = standardLockWaitMs,
  tellPending: (pending: number) => Effect.Effect<void> = () => Effect.void
) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* readFiles(from)
  yield* ensureTable(sql)
  const applied = yield* readApplied(sql)
  for (const file of files) yield* checkUnchanged(file, applied.get(file.id)?.sha256)
  const newest = Math.max(0, ...applied.keys())
  const ran: Array<string> = []
  const waiting = files.filter(({ id }) => !applied.has(id)).length
  if (waiting > 0) yield* tellPending(waiting)
  for (const file of files) {
    if (applied.has(file.id)) continue
    if (file.id < newest) {
      const message = `${file.name} has a number below ${pad(newest)}, which is already applied; give it a new number`
      return yield* new MigrationRefused({ message })
    }
    if (yield* applyPatiently(sql, file, lockWaitMs)) ran.push(file.name)
  }
  return ran
})

/** The longest time in all that a migration waits for locks of others, in milliseconds: longer than most dumps take. */
export const standardLockWaitMs = 15 * 60_000

/** A migration with the state that the database records. */
export interface MigrationStatus {
  readonly name: string
  /** `changed` since it was applied, which `migrate` refuses; `newer`: applied by a release that this one is older than. */
  readonly state: "applied" | "pending" | "changed" | "newer"
  /** The epoch millisecond of its run; null while pending. */
  readonly applied_at: number | null
}

/** Returns every migration in order, those of this release and those of the database. Reads only. */
export const migrationStatus = Effect.fn("Migrations.migrationStatus")(function* (from: string = directory) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* readFiles(from)
  const [table] = yield* sql<{ readonly known: boolean }>`select to_regclass('schema_migrations') is not null as known`
  const applied = table?.known === true ? yield* readApplied(sql) : new Map<number, AppliedRow>()
  const ours = files.map((file): MigrationStatus => {
    const row = applied.get(file.id)
    if (row === undefined) return pending(file.name)
    return { name: file.name, state: row.sha256 === file.sha256 ? "applied" : "changed", applied_at: row.applied_at }
  })
  const others = [...applied.values()].filter((row) => !files.some((file) => file.id === row.id))
  const theirs = others.map((row): MigrationStatus => ({ name: row.name, state: "newer", applied_at: row.applied_at }))
  return [...ours, ...theirs].sort((one, other) => (one.name < other.name ? -1 : 1))
})

/** Returns every migration as pending, for a database that does not exist yet. */
export const pendingMigrations = Effect.fnUntraced(function* (from: string = directory) {
  return (yield* readFiles(from)).map((file) => pending(file.name))
})

const pending = (name: string): MigrationStatus => ({ name, state: "pending", applied_at: null })

interface AppliedRow {
  readonly id: number
  readonly name: string
  readonly applied_at: number
  readonly sha256: string
}

interface MigrationFile {
  readonly id: number
  readonly name: string
  readonly text: string
  readonly sha256: string
}

// "carteiro" as eight bytes: any number works that stays equal for every release.
const lockKey = "7161130726738981487"

const readFiles = Effect.fnUntraced(function* (from: string) {
  const names = yield* Effect.try({
    try: () => migrationNames(from),
    catch: () => new MigrationRefused({ message: `cannot read the migrations in ${from}` })
  })
  const files: Array<MigrationFile> = []
  for (const name of names) {
    const id = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    if (!(id > 0)) return yield* new MigrationRefused({ message: `${name} is not named NNNN_name.sql` })
    if (files.at(-1)?.id === id) {
      return yield* new MigrationRefused({ message: `${files.at(-1)?.name} and ${name} have the same number` })
    }
    const text = readFileSync(join(from, name), "utf8")
    files.push({ id, name, text, sha256: createHash("sha256").update(text).digest("hex") })
  }
  return files
})

const checkUnchanged = (file: MigrationFile, sha256: string | undefined) =>
  sha256 === undefined || sha256 === file.sha256
    ? Effect.void
    : new MigrationRefused({ message: `${file.name} was changed after it was applied; restore it and add a new file` })

/**
 * The wait of one try for a lock, in milliseconds, during which every commit on that table waits; and the pause after
 * it.
 */
const tryMs = 200
const pauseMs = 1000

// Only other migrators wait for this lock, and they may take their time.
const lock = (sql: SqlClient.SqlClient) =>
  Effect.andThen(
    sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`,
    sql`select pg_advisory_xact_lock(${lockKey}::int8)::text as locked`
  )

// `if not exists` alone still fails when two nodes create the table at the same moment.
const ensureTable = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(
    Effect.andThen(
      lock(sql),
      sql`create table if not exists schema_migrations (
        id int4 primary key, name text not null, applied_at timestamptz not null, sha256 text not null)`
    )
  )

const readApplied = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<AppliedRow>`select id, name, applied_at, sha256 from schema_migrations order by id`,
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )

const applyPatiently = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: MigrationFile, lockWaitMs: number) {
  const until = (yield* Clock.currentTimeMillis) + lockWaitMs
  return yield* applyOne(sql, file).pipe(
    Effect.tapError((error) =>
      isLockedOut(error)
        ? Effect.logInfo("a migration waits for a lock that somebody holds", { migration: file.name })
        : Effect.void
    ),
    Effect.retry({
      while: (error) =>
        isLockedOut(error) ? Effect.map(Clock.currentTimeMillis, (now) => now < until) : Effect.succeed(false),
      schedule: Schedule.jittered(Schedule.spaced(pauseMs))
    }),
    (run) => asRefusal(file.name, run)
  )
})

/** True when this call ran the file, false when another node was faster. */
const applyOne = (sql: SqlClient.SqlClient, file: MigrationFile) =>
  Effect.gen(function* () {
    yield* lock(sql)
    const recorded = (yield* readApplied(sql)).get(file.id)
    if (recorded !== undefined) {
      yield* checkUnchanged(file, recorded.sha256)
      return false
    }
    yield* sql`select set_config('carteiro.migration', ${file.text}, true),
      set_config('lock_timeout', ${String(tryMs)}, true)`
    yield* runScript(sql)
    const appliedAt = instant(yield* Clock.currentTimeMillis)
    yield* sql`insert into schema_migrations (id, name, applied_at, sha256)
      values (${file.id}, ${file.name}, ${appliedAt}, ${file.sha256})`
    return true
  }).pipe(sql.withTransaction)

// The driver takes one statement a message. PL/pgSQL takes a text of many, has PostgreSQL parse it, and runs them one
// by one, so that each sees the effects of the previous ones.
const runScript = (sql: SqlClient.SqlClient) =>
  sql`do $script$ begin execute current_setting('carteiro.migration'); end $script$`.unprepared

const asRefusal = <A, R>(subject: string, effect: Effect.Effect<A, MigrationRefused | SqlError.SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (error) => {
    const wayOut = isLockedOut(error)
      ? "; end whoever holds its tables (a dump, a long transaction), and run it again"
      : ""
    return new MigrationRefused({ message: `${subject} failed: ${failureText(error)}${wayOut}` })
  })

const isLockedOut = (error: MigrationRefused | SqlError.SqlError): boolean =>
  error._tag === "SqlError" && error.reason._tag === "LockTimeoutError"

const pad = (id: number): string => String(id).padStart(4, "0")
