import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { clientConfig } from "@carteiro/tables/Sql.ts"
import { patiently, StartPatience } from "@carteiro/tables/StartPatience.ts"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { ensureDataDir, lockDataDir } from "./DataDir.ts"
import { freePort } from "./FreePort.ts"
import { serverBinaries } from "./postgres/ServerBinaries.ts"
import { openHome, type ServerRecord, saveRecord } from "./postgres/ServerHome.ts"
import { awaitReady, findRunning, initialize, launch, logPath, type Server, stop } from "./postgres/ServerProcess.ts"
import { watchServer } from "./postgres/ServerWatch.ts"
import { databaseRefused } from "./StartProblems.ts"
import { StartRefused } from "./StartRefused.ts"
import { StartSteps } from "./StartSteps.ts"

export interface EmbeddedOptions {
  readonly dataDir: string
  /**
   * Decides about a data directory that another living process holds: refuse (false, the default, for the server), or
   * use its database and leave it running (true, for one-off commands such as `npm run migrate`).
   */
  readonly share?: boolean
  /** Connections that the processes of this node open at most. The server takes 200, or more where they need more. */
  readonly connections?: number
  /** Further `name=value` server settings; they win over ours. For tests. */
  readonly settings?: ReadonlyArray<string>
}

/** A running database server of our own; `url` connects over TCP as the owner of the database `carteiro`. */
export interface EmbeddedDatabase {
  readonly url: string
  /** Connects over the Unix socket, which is cheaper; absent when the data directory's path is too long for one. */
  readonly socketUrl: string | undefined
  /** The file that the server writes its log to. */
  readonly log: string
  /** Fails when the server ended and cannot be started again; never for one that another process runs. */
  readonly lost: Effect.Effect<never, StartRefused>
}

/**
 * The database used when no DATABASE_URL is set: started, or taken over from a process that was killed, started again
 * when it ends while in use, and stopped by fast shutdown when its scope closes. Acquire it first, so that it stops last:
 * settings, master key, this, SQL client, migrations, everything else. Boot contract, Stopping
 */
export const acquire = Effect.fn("EmbeddedPostgres.acquire")(function* (options: EmbeddedOptions) {
  const dataDir = yield* ensureDataDir(options.dataDir)
  const held = yield* lockDataDir(dataDir)
  if (!held && options.share !== true) {
    const message = `CARTEIRO_DATA_DIR: ${dataDir} is in use by another process; stop it or choose another folder`
    return yield* new StartRefused({ message, busy: true })
  }
  const { fresh, home, record, user } = yield* openHome(dataDir)
  const cluster = join(home, "cluster")
  const binaries = yield* serverBinaries(home, user)
  const server: Server = {
    dataDir,
    home,
    cluster,
    user,
    binaries,
    settings: [...durableSettings, ...roomFor(options.connections ?? 0), ...(options.settings ?? [])]
  }
  if (!held) return yield* borrow(server, record)
  if (fresh) yield* clearAbandoned(cluster, record)
  const tellStep = yield* StartSteps
  if (existsSync(join(cluster, "PG_VERSION"))) tellStep(`starting the database of ${dataDir}`)
  else {
    tellStep(`creating the database in ${dataDir}`)
    yield* saveRecord(dataDir, record)
    yield* initialize(server, record.password, options.settings?.includes("fsync=off") !== true)
  }
  yield* checkVersion(server)
  const { lost, port } = yield* watchServer(server, startOrAdopt(server, record.port))
  const systemIdentifier = yield* verify(server, record, port)
  yield* saveRecord(dataDir, { ...record, port, system_identifier: systemIdentifier })
  return { ...connection(server, record, port), lost } satisfies EmbeddedDatabase
})

// `wal_level=minimal`, the larger log and compressed page images spare work, never a flush: what is answered has been on disk.
const durableSettings: ReadonlyArray<string> = [
  "listen_addresses=127.0.0.1",
  "unix_socket_permissions=0700",
  "max_connections=200",
  "shared_buffers=128MB",
  "fsync=on",
  "synchronous_commit=on",
  "full_page_writes=on",
  "wal_level=minimal",
  "wal_compression=on",
  "max_wal_senders=0",
  "wal_buffers=16MB",
  "max_wal_size=2GB",
  "min_wal_size=256MB",
  "checkpoint_timeout=15min",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC"
]

/** Some are left for commands and people. */
const roomFor = (connections: number): ReadonlyArray<string> =>
  connections > 150 ? [`max_connections=${connections + 50}`] : []

const startOrAdopt = Effect.fnUntraced(function* (server: Server, wanted: number) {
  const found = yield* findRunning(server.cluster)
  const left = found === undefined ? undefined : yield* awaitReady(server.cluster, found.pid)
  if (left !== undefined) {
    yield* Effect.logInfo("took over the database server a killed process left running", { pid: left.pid })
    return left
  }
  yield* findRunning(server.cluster)
  const start = Effect.flatMap(freePort(wanted), (port) => launch(server, port))
  // Someone may take the port between the look and the start.
  return yield* Effect.catch(start, () => Effect.flatMap(freePort(), (port) => launch(server, port)))
})

const borrow = Effect.fnUntraced(function* (server: Server, record: ServerRecord) {
  const found = yield* findRunning(server.cluster)
  const running = found === undefined ? undefined : yield* awaitReady(server.cluster, found.pid)
  if (running === undefined || record.system_identifier === null) {
    const message = `CARTEIRO_DATA_DIR: ${record.data_dir} is in use and its database is not ready yet; try again`
    return yield* new StartRefused({ message })
  }
  yield* verify(server, record, running.port)
  return { ...connection(server, record, running.port), lost: Effect.never } satisfies EmbeddedDatabase
})

/** A cluster without a record is one whose data directory was removed; its password is lost with it. */
const clearAbandoned = Effect.fnUntraced(function* (cluster: string, record: ServerRecord) {
  if (!existsSync(cluster)) return
  if (record.home === null) {
    const message = `CARTEIRO_DATA_DIR: ${record.data_dir} holds a database but its postgres.json is gone; restore it, or remove the folder to start afresh`
    return yield* new StartRefused({ message })
  }
  const running = yield* findRunning(cluster)
  if (running !== undefined) yield* stop(cluster, running.pid)
  yield* Effect.sync(() => rmSync(cluster, { recursive: true, force: true }))
})

const checkVersion = (server: Server) =>
  Effect.suspend(() => {
    const made = readFileSync(join(server.cluster, "PG_VERSION"), "utf8").trim()
    if (made === server.binaries.major) return Effect.void
    const message = `CARTEIRO_DATA_DIR: the database in ${server.dataDir} was made by PostgreSQL ${made}, this release brings ${server.binaries.major}; start the release that made it, or remove the folder to start afresh`
    return new StartRefused({ message })
  })

/**
 * Proves that the server answering is ours, and makes the database at the first start; answers its identifier. The server
 * runs, so that one that is silent has too little of a busy machine, and is waited for.
 */
const verify = (server: Server, record: ServerRecord, port: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({
      ...clientConfig(tcpUrl(record, port, "postgres"), "carteiro-boot"),
      connectTimeout: "1 minute"
    })
    const [facts] = yield* sql<{ readonly id: string; readonly folder: string; readonly made: boolean }>`
      select system_identifier::text as id, current_setting('data_directory') as folder,
        exists (select from pg_database where datname = 'carteiro') as made from pg_control_system()`
    const known = record.system_identifier
    if (facts?.folder !== server.cluster || (known !== null && known !== facts.id)) {
      const message = `CARTEIRO_DATA_DIR: the server on port ${port} is not the one of ${server.cluster}; stop it, or choose another folder`
      return yield* new StartRefused({ message })
    }
    if (!facts.made) yield* sql`create database carteiro`.unprepared
    return facts.id
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    (work) => patiently(new StartPatience(), work),
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(databaseRefused({ url: tcpUrl(record, port, "postgres"), log: logPath(server.home) }, error))
    )
  )

const connection = (server: Server, record: ServerRecord, port: number) => {
  const url = tcpUrl(record, port, "carteiro")
  const folder = join(server.home, "socket")
  const local = existsSync(join(folder, `.s.PGSQL.${port}`))
  return {
    url,
    socketUrl: local ? `${url}?host=${encodeURIComponent(folder)}&port=${port}` : undefined,
    log: logPath(server.home)
  }
}

const tcpUrl = (record: ServerRecord, port: number, database: string): string =>
  `postgres://carteiro:${record.password}@127.0.0.1:${port}/${database}`
