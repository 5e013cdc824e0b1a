import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { Effect, type Scope } from "effect"
import pg from "pg"
import { parentOf } from "../support/ProcessTable.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { cpuSecondsOfFamily } from "./Processes.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** One database of the run's server. */
export interface Database {
  readonly name: string
  readonly url: string
  readonly query: (text: string, values?: ReadonlyArray<unknown>) => Effect.Effect<Rows, BenchFailure>
  /** The first column of the first row as a number. */
  readonly count: (text: string, values?: ReadonlyArray<unknown>) => Effect.Effect<number, BenchFailure>
  /** Statements run in it since the server started, as the server itself counts them. */
  readonly statements: Effect.Effect<number, BenchFailure>
  /** Bytes of write-ahead log that its server has written, and updates of its rows, in all and in place. */
  readonly written: Effect.Effect<Written, BenchFailure>
  /** Its most expensive statements: calls, total and mean milliseconds, rows returned, query. */
  readonly mostExpensive: (count: number) => Effect.Effect<Rows, BenchFailure>
}

/** The writes of a server since its start. */
export interface Written {
  readonly walBytes: number
  readonly updates: number
  /** Updates that touched no index (HOT). */
  readonly inPlace: number
}

const writtenSql = `select (pg_current_wal_lsn() - '0/0')::float8 as wal, coalesce(sum(n_tup_upd), 0)::float8 as updates,
  coalesce(sum(n_tup_hot_upd), 0)::float8 as hot from pg_stat_user_tables`

/** The one server that product and peers share, with every flush a production server makes. */
export interface Postgres {
  readonly version: string
  readonly settings: Readonly<Record<string, string>>
  /** An empty database; the same name is emptied again. */
  readonly database: (name: string) => Effect.Effect<Database, BenchFailure, Scope.Scope>
  readonly cpuSeconds: Effect.Effect<number>
  /** Writes everything out, so that no round pays for the one before. */
  readonly checkpoint: Effect.Effect<void, BenchFailure>
  /** Statements being run right now, by anyone but the harness. */
  readonly active: Effect.Effect<number, BenchFailure>
}

const shownSettings = ["fsync", "synchronous_commit", "full_page_writes", "wal_level", "shared_buffers", "max_wal_size"]
const countingSettings = [
  "shared_preload_libraries=pg_stat_statements",
  "pg_stat_statements.max=10000",
  "pg_stat_statements.track=top"
]

/** A folder that is removed when the scope closes. */
export const temporaryFolder = (name: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), `carteiro-bench-${name}-`))
      // As root, PostgreSQL runs as another user, who must pass through.
      chmodSync(folder, 0o711)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** Starts the server in a folder of its own; it stops, and its data goes, when the scope closes. */
export const startPostgres = Effect.fn("Postgres.start")(function* () {
  const dataDir = yield* temporaryFolder("postgres")
  const server = yield* EmbeddedPostgres.acquire({ dataDir, settings: countingSettings }).pipe(
    Effect.mapError((error) => new BenchFailure({ message: error.message }))
  )
  const url = server.socketUrl ?? server.url
  const admin = yield* connect(url)
  yield* admin.query("create extension if not exists pg_stat_statements")
  const [own] = yield* admin.query("select pg_backend_pid() as pid, current_setting('server_version') as version")
  const postmaster = parentOf(Number(own?.pid))
  const settings: Record<string, string> = {}
  for (const name of shownSettings) {
    settings[name] = String((yield* admin.query("select current_setting($1) as value", [name]))[0]?.value)
  }
  const counted = `select coalesce(sum(s.calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = $1`
  const costly = `select s.calls, round(s.total_exec_time) as total, round(s.mean_exec_time::numeric, 3) as mean,
    s.rows as returned, s.query ${counted.slice(counted.indexOf("from "))} order by s.total_exec_time desc limit $2`
  const postgres: Postgres = {
    version: String(own?.version),
    settings,
    database: Effect.fnUntraced(function* (name: string) {
      yield* admin.query(`drop database if exists "${name}" with (force)`)
      yield* admin.query(`create database "${name}"`)
      const its = Object.assign(new URL(url), { pathname: `/${name}` }).href
      const { count, query } = yield* connect(its)
      return {
        name,
        url: its,
        query,
        count,
        statements: admin.count(counted, [name]),
        written: Effect.map(query(writtenSql), ([row]) => ({
          walBytes: Number(row?.wal),
          updates: Number(row?.updates),
          inPlace: Number(row?.hot)
        })),
        mostExpensive: (count) => admin.query(costly, [name, count])
      }
    }),
    cpuSeconds: Effect.sync(() => cpuSecondsOfFamily(postmaster)),
    checkpoint: Effect.asVoid(admin.query("checkpoint")),
    active: admin.count(`select count(*) from pg_stat_activity
      where state = 'active' and backend_type = 'client backend' and application_name <> 'carteiro-bench'`)
  }
  return postgres
})

const connect = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "carteiro-bench" })
        // A dropped database closes idle connections; whoever asks next is told.
        pool.on("error", () => {})
        return pool
      }),
      (pool) => Effect.promise(() => pool.end())
    ),
    (pool) => {
      const query: Database["query"] = (text, values = []) =>
        Effect.tryPromise({
          try: async () => (await pool.query(text, [...values])).rows as Rows,
          catch: (error) => new BenchFailure({ message: `${String(error)} in: ${text.replace(/\s+/g, " ")}` })
        })
      const count: Database["count"] = (text, values) =>
        Effect.map(query(text, values), ([row]) => Number(Object.values(row ?? {})[0] ?? 0))
      return { query, count }
    }
  )
