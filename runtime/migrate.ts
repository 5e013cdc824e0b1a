import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type MigrationStatus, migrationStatus, pendingMigrations } from "@carteiro/tables/Migrations.ts"
import { CurrentStart, StartPatience } from "@carteiro/tables/StartPatience.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { bringUpToDate, openDatabase, withDatabase } from "./boot/Database.ts"
import { environment } from "./boot/Environment.ts"
import { readSome } from "./boot/Settings.ts"
import { StartRefused, tellRefusal } from "./boot/StartRefused.ts"

// `npm run migrate`: brings the schema at rest up to date and exits; the server does the same when it starts.

const usage = `Usage: npm run migrate [-- --status]

Brings the database up to date, and exits; npm start does the same before it serves.
The database is that of DATABASE_URL, else the embedded one of CARTEIRO_DATA_DIR
(.carteiro), whether a node runs on it or not. Migrations only go forward, each in one
transaction; any number of processes may try at once. They are in schema/database.

  --status  tells which migrations are applied and which are pending; changes nothing
  --help    this text
`

const apply = Effect.gen(function* () {
  const settings = yield* readSome("dataDir", "databaseUrl", "migrationLockWaitMs")
  const ran = yield* bringUpToDate(yield* openDatabase(settings, true), settings)
  return ran.length === 0 ? "the database is up to date" : `applied ${ran.join(", ")}`
})

const tellStatus = Effect.gen(function* () {
  const settings = yield* readSome("dataDir", "databaseUrl")
  // A data directory without a server is one that nobody has started on: looking must not make one.
  const absent = settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, "postgres.json"))
  const found = absent
    ? yield* pendingMigrations()
    : yield* withDatabase(yield* openDatabase(settings, true), migrationStatus())
  return [...found.map(statusLine), summary(found)].join("\n")
})

const statusLine = ({ applied_at, name, state }: MigrationStatus): string =>
  `${state.padEnd(7)}  ${name}${applied_at === null ? "" : `  ${formatTimestamp(applied_at)}`}`

const summary = (found: ReadonlyArray<MigrationStatus>): string => {
  const count = (state: MigrationStatus["state"]) => found.filter((one) => one.state === state).length
  if (count("changed") > 0) return "changed since it was applied: restore the file, and put the change into a new one"
  if (count("newer") > 0) return "the database is newer than this release: update before you start it"
  return count("pending") === 0 ? "the database is up to date" : `${count("pending")} pending: npm run migrate`
}

const program = Effect.gen(function* () {
  const { values } = yield* Effect.try({
    try: () => parseArgs({ options: { status: { type: "boolean" }, help: { type: "boolean", short: "h" } } }),
    catch: () => new StartRefused({ message: "usage: npm run migrate [-- --status | --help]" })
  })
  // It runs before the nodes of a release start, and waits for the database as they do.
  const work = Effect.provideService(values.status === true ? tellStatus : apply, CurrentStart, new StartPatience())
  const text = values.help === true ? usage.trimEnd() : yield* work
  yield* Effect.sync(() => process.stdout.write(`${text}\n`))
})

NodeRuntime.runMain(tellRefusal(Effect.provide(Effect.scoped(program), environment)))
