import { spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import { Effect } from "effect"

const program = "/usr/sbin/pgbouncer"

/** True when Debian's package is installed; tests say in their name when it is not. */
export const hasPgBouncer = existsSync(program)

/**
 * Returns the database of `url` through a pooler in its package's configuration, until the scope closes: one of sessions,
 * unless `settings` say something else.
 */
export const pgBouncer = Effect.fnUntraced(function* (url: string, settings: ReadonlyArray<string> = []) {
  const { hostname, password, pathname, port, username } = new URL(url)
  const listens = yield* freePort()
  const user = yield* Effect.orDie(serverUser(""))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-pgbouncer-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const database = pathname.slice(1)
  const at = `host=${hostname} port=${port} dbname=${database} user=${username} password='${decodeURIComponent(password)}'`
  const files = {
    "pgbouncer.ini": [
      "[databases]",
      `${database} = ${at}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${listens}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${join(folder, "users.txt")}`,
      "pool_mode = session",
      ...settings
    ],
    "users.txt": [`"${username}" ""`]
  }
  chmodSync(folder, 0o700)
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join("\n")}\n`)
  if (user !== undefined) {
    for (const path of ["", ...Object.keys(files)]) chownSync(join(folder, path), user.uid, user.gid)
  }
  yield* Effect.acquireRelease(
    Effect.callback<{ readonly stop: Effect.Effect<void> }>((resume) => {
      const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid }
      const child = spawn(program, [join(folder, "pgbouncer.ini")], {
        ...identity,
        stdio: ["ignore", "ignore", "pipe"]
      })
      const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()))
      let log = ""
      child.stderr.on("data", (chunk) => {
        log += String(chunk)
        if (log.includes("process up")) {
          const stop = Effect.promise(() => {
            child.kill("SIGKILL")
            return ended
          })
          resume(Effect.succeed({ stop }))
        }
      })
      child.once("error", (error) => resume(Effect.die(error)))
      child.once("exit", () => resume(Effect.die(new Error(log))))
    }),
    ({ stop }) => stop
  )
  return `postgres://${username}@127.0.0.1:${listens}/${database}`
})
