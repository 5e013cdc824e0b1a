import { spawnSync } from "node:child_process"
import { chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { serverBinaries } from "@carteiro/runtime/boot/postgres/ServerBinaries.ts"
import { launch, stop } from "@carteiro/runtime/boot/postgres/ServerProcess.ts"
import { type ServerUser, serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { clusterOf } from "./EmbeddedServer.ts"
import { dataFolder } from "./RunFolder.ts"
import { until } from "./Until.ts"

/** Two real servers, the second a streaming standby of the first. */
export interface Replicated {
  readonly primary: string
  readonly standby: string
  /** Lets the standby stand still, and go on. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Ends the standby for good. */
  readonly kill: Effect.Effect<void>
}

/** Runs a statement over a connection of its own. */
export const queried = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, use),
    Sql.layer(url, { applicationName: "carteiro-test-standby", maxConnections: 1 })
  )

const giveTo = (path: string, user: ServerUser | undefined) => {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

/** Starts both, until the scope closes. */
export const replicated = Effect.gen(function* () {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => dataFolder("carteiro-standby-")),
    (path) =>
      Effect.sync(() => {
        for (const made of [join(clusterOf(path), ".."), path]) rmSync(made, { recursive: true, force: true })
      })
  )
  const settings = ["fsync=off", "wal_level=replica", "max_wal_senders=4", "wal_keep_size=256MB"]
  const { url } = yield* EmbeddedPostgres.acquire({ dataDir, settings })
  const home = join(clusterOf(dataDir), "..")
  const copy = { home: join(home, "standby"), cluster: join(home, "standby", "cluster") }
  const user = yield* serverUser(clusterOf(dataDir))
  const binaries = yield* serverBinaries(home, user)
  mkdirSync(copy.home)
  giveTo(copy.home, user)
  yield* queried(url, (sql) =>
    Effect.gen(function* () {
      yield* sql`select pg_backup_start('standby', true)`
      spawnSync("cp", ["-a", clusterOf(dataDir), copy.cluster])
      const [ended] = yield* sql<{ readonly labelfile: string }>`select labelfile from pg_backup_stop(false)`
      rmSync(join(copy.cluster, "postmaster.pid"))
      for (const [name, text] of [
        ["backup_label", ended?.labelfile ?? ""],
        ["standby.signal", ""]
      ] as const) {
        writeFileSync(join(copy.cluster, name), text)
        giveTo(join(copy.cluster, name), user)
      }
    })
  )
  const { hostname, password, port, username } = new URL(url)
  const from = `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`
  const server = {
    dataDir,
    ...copy,
    user,
    binaries,
    settings: [...settings, "max_connections=200", "listen_addresses=127.0.0.1", from]
  }
  const running = yield* Effect.acquireRelease(
    Effect.flatMap(freePort(), (at) => launch(server, at)),
    ({ pid }) => stop(copy.cluster, pid)
  )
  const standby = Object.assign(new URL(url), { port: String(running.port) }).href
  return {
    primary: url,
    standby,
    pause: Effect.orDie(queried(standby, (sql) => sql`select pg_wal_replay_pause()`)),
    resume: Effect.orDie(queried(standby, (sql) => sql`select pg_wal_replay_resume()`)),
    kill: Effect.sync(() => void process.kill(running.pid, "SIGQUIT"))
  } satisfies Replicated as Replicated
})

/** Lets every commit on the primary wait for the standby of this name; for nobody where the name is empty. */
export const waitForStandby = (primary: string, name: string) => {
  const set = queried(primary, (sql) =>
    Effect.andThen(sql.unsafe(`alter system set synchronous_standby_names = '${name}'`), sql`select pg_reload_conf()`)
  )
  if (name === "") return set
  // Servers read their settings again in their own time: commits are tried until one waits, which is then let go.
  const commit = queried(primary, (sql) => sql`select pg_logical_emit_message(true, 'carteiro-test', 'a commit')`)
  const letGo = queried(primary, (sql) =>
    Effect.map(
      sql`select pg_cancel_backend(pid) from pg_stat_activity
        where wait_event = 'SyncRep' and query like '%pg_logical_emit_message%'`,
      (rows) => rows.length > 0
    )
  )
  const isHeld = Effect.gen(function* () {
    const tried = yield* Effect.forkChild(commit)
    let held = false
    yield* until(
      Effect.map(letGo, (found) => {
        held = held || found
        return tried.pollUnsafe() !== undefined
      })
    )
    return held
  })
  return Effect.andThen(set, until(isHeld))
}
