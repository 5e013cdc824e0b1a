import { spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

const program = "/usr/sbin/pgpool"

/** True when Debian's package is installed; tests say in their name when it is not. */
export const hasPgpool = existsSync(program)

/** Returns the database of `url` through pgpool-II with these settings, until the scope closes. */
export const pgpool = Effect.fnUntraced(function* (url: string, settings: ReadonlyArray<string>) {
  const { hostname, port } = new URL(url)
  const listens = yield* freePort()
  const user = yield* Effect.orDie(serverUser(""))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-pgpool-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const lines = [
    "backend_clustering_mode = 'streaming_replication'",
    "listen_addresses = '127.0.0.1'",
    `port = ${listens}`,
    `pcp_port = ${yield* freePort()}`,
    `socket_dir = '${folder}'`,
    `pcp_socket_dir = '${folder}'`,
    `backend_hostname0 = '${hostname}'`,
    `backend_port0 = ${port}`,
    "backend_flag0 = 'ALWAYS_PRIMARY'",
    `pid_file_name = '${folder}/pgpool.pid'`,
    `logdir = '${folder}'`,
    "sr_check_period = 0",
    "num_init_children = 8",
    "allow_clear_text_frontend_auth = on",
    ...settings
  ]
  const file = join(folder, "pgpool.conf")
  writeFileSync(file, `${lines.join("\n")}\n`)
  chmodSync(folder, 0o700)
  if (user !== undefined) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(program, ["-n", "-f", file], { ...identity, stdio: "ignore" })
      const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()))
      return { child, ended }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGINT")
        return ended
      })
  )
  const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(listens) }).href
  const answers = Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`),
    Sql.layer(through, { applicationName: "carteiro-test-pgpool", maxConnections: 1 }),
    { local: true }
  )
  yield* Effect.retry(answers, Schedule.spaced("50 millis")).pipe(Effect.orDie)
  return through
})
