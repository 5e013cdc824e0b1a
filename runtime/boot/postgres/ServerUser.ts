import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { isRoot } from "../DataDir.ts"
import { StartRefused } from "../StartRefused.ts"

/** The account the database server runs as when we are root: PostgreSQL refuses to run as root itself. */
export interface ServerUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/**
 * Undefined unless we are root; then the owner of an existing cluster, else `postgres`, `nobody` or the first other
 * account. It must have a name: `initdb` looks it up.
 */
export const serverUser = (cluster: string): Effect.Effect<ServerUser | undefined, StartRefused> =>
  Effect.suspend(() => {
    if (!isRoot()) return Effect.succeed(undefined)
    const users = accounts()
    const owner = existsSync(cluster) ? statSync(cluster).uid : 0
    const named = (name: string) => users.find((user) => user.name === name)
    const user = users.find((user) => user.uid === owner) ?? named("postgres") ?? named("nobody") ?? users[0]
    return user === undefined
      ? new StartRefused({
          message: "DATABASE_URL: the embedded PostgreSQL cannot run as root and there is no other user"
        })
      : Effect.succeed(user)
  })

/** Whether the user can walk down to this folder and enter it; always true for ourselves. */
export const canEnter = (folder: string, user: ServerUser | undefined): boolean => {
  if (user === undefined) return true
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(folder) === folder || canEnter(dirname(folder), user)
}

const accounts = (): ReadonlyArray<ServerUser> =>
  (existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "")
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) => (name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
