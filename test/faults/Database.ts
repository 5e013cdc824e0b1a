import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "@carteiro/runtime/boot/RunningProcess.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { eventually } from "./Waiting.ts"

const own = "carteiro-faults"

/** Runs statements as the database's owner, on a connection of their own. */
const ask = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, use),
    Sql.layer(url, { applicationName: own, maxConnections: 1 })
  ).pipe(Effect.orDie)

/** Ends the sessions of the product that `keep` does not spare; answers how many. */
export const endSessions = (url: string, keep: (pid: number) => boolean) =>
  ask(url, (sql) =>
    Effect.gen(function* () {
      const sessions = yield* sql<{ readonly pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and application_name like 'carteiro%' and application_name <> ${own}`
      const ended = sessions.filter(({ pid }) => !keep(pid))
      for (const { pid } of ended) yield* sql`select pg_terminate_backend(${pid}::int4)`
      return ended.length
    })
  )

const trigger = "faults_slow_commit"

/** From now on every group commit of the product takes that much longer before it becomes visible. */
export const slowCommits = (url: string, millis: number) =>
  statements(url, [
    `create or replace function ${trigger}() returns trigger language plpgsql as $$
      begin perform pg_sleep(${millis / 1000}); return null; end $$`,
    `drop trigger if exists ${trigger} on commits`,
    `create constraint trigger ${trigger} after insert on commits deferrable initially deferred
      for each row execute function ${trigger}()`
  ])

/** Takes the slowness away again. */
export const freeCommits = (url: string) => statements(url, [`drop trigger if exists ${trigger} on commits`])

const statements = (url: string, texts: ReadonlyArray<string>) =>
  ask(url, (sql) => Effect.forEach(texts, (text) => sql.unsafe(text).unprepared, { discard: true }))

/** Stops the server of a cluster, by fast shutdown or as a crash, and waits until the product has started it again. */
export const restartServer = Effect.fnUntraced(function* (url: string, cluster: string, crash: boolean) {
  if (serverPid(cluster) === undefined) return yield* Effect.die(`no server runs in ${cluster}`)
  yield* endServer(cluster, crash ? "SIGKILL" : "SIGINT")
  yield* Effect.suspend(() => reachable(url)).pipe(
    Effect.catchCause(() => Effect.sleep("50 millis")),
    Effect.repeat({ until: (answered) => answered === true, times: 600 })
  )
})

/** Stops the server of a cluster when one runs. */
export const endServer = Effect.fnUntraced(function* (cluster: string, signal: "SIGINT" | "SIGKILL" = "SIGINT") {
  const pid = serverPid(cluster)
  if (pid === undefined) return
  process.kill(pid, signal)
  yield* eventually(() => (isAlive(pid) ? undefined : true), 60)
})

const reachable = (url: string): Effect.Effect<true, SqlError.SqlError> =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.as(sql`select 1`, true as const)),
    Sql.layer(url, { applicationName: own, maxConnections: 1 })
  )

const serverPid = (cluster: string): number | undefined => {
  const file = join(cluster, "postmaster.pid")
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, "utf8").split("\n", 1)[0])
  return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined
}
