import { spawnSync } from "node:child_process"
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
 * Undefined unless we are root; then the owner of an existing cluster, else `postgres` (`_postgres` on macOS), `nobody` or
 * the first other account. It must have a name: `initdb` looks it up.
 */
export const serverUser = (cluster: string): Effect.Effect<ServerUser | undefined, StartRefused> =>
  Effect.suspend(() => {
    if (!isRoot()) return Effect.succeed(undefined)
    const list = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : ""
    const user = chooseUser(list, existsSync(cluster) ? statSync(cluster).uid : 0)
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

/** Chooses from the text of /etc/passwd; `owner` is 0 where no cluster stands yet. */
export const chooseUser = (list: string, owner: number): ServerUser | undefined => {
  const users = list
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) => (name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
  const named = (name: string) => users.find((user) => user.name === name)
  const known = users.find((user) => user.uid === owner) ?? (owner === 0 ? undefined : directoryUser(owner))
  return known ?? named("postgres") ?? named("_postgres") ?? named("nobody") ?? users[0]
}

/** An account that is in a directory service instead of the file, as those of people on macOS are. */
const directoryUser = (uid: number): ServerUser | undefined => {
  const [name = "", gid = ""] = ["-un", "-g"].map((what) => String(spawnSync("id", [what, String(uid)]).stdout).trim())
  return name === "" || gid === "" ? undefined : { name, uid, gid: Number(gid) }
}
