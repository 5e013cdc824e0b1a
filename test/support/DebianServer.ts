import { spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { launch, logPath, stop } from "@carteiro/runtime/boot/postgres/ServerProcess.ts"
import { serverUser } from "@carteiro/runtime/boot/postgres/ServerUser.ts"
import { Effect } from "effect"
import { dataFolder } from "./RunFolder.ts"

const programs = (major: string) => `/usr/lib/postgresql/${major}/bin`

/** True when Debian's package of this major version is installed; tests say in their names when it is not. */
export const hasDebianServer = (major: string): boolean => existsSync(join(programs(major), "postgres"))

/** Starts an empty server of Debian's package, whose settings are its own but for these, until the scope closes. */
export const debianServer = Effect.fnUntraced(function* (major: string, settings: ReadonlyArray<string>) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => dataFolder(`carteiro-postgresql-${major}-`)),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const cluster = join(home, "cluster")
  const user = yield* Effect.orDie(serverUser(""))
  const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid }
  mkdirSync(cluster)
  if (user !== undefined) for (const path of [home, cluster]) chownSync(path, user.uid, user.gid)
  const binaries = { initdb: join(programs(major), "initdb"), postgres: join(programs(major), "postgres"), major }
  const made = spawnSync(
    binaries.initdb,
    ["-D", cluster, "-U", "carteiro", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { cwd: "/", encoding: "utf8", ...identity }
  )
  if (made.status !== 0) return yield* Effect.die(new Error(made.stderr))
  const server = { dataDir: home, home, cluster, user, binaries, settings: ["listen_addresses=127.0.0.1", ...settings] }
  const { port } = yield* Effect.acquireRelease(
    Effect.flatMap(freePort(), (wanted) => Effect.orDie(launch(server, wanted))),
    ({ pid }) => stop(cluster, pid)
  )
  return { url: `postgres://carteiro@127.0.0.1:${port}/postgres`, log: logPath(home) }
})
