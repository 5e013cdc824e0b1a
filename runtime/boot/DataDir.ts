import { randomBytes } from "node:crypto"
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import { isAlive, startedAt } from "./RunningProcess.ts"
import { StartRefused } from "./StartRefused.ts"

/** Creates the data directory when it is missing and answers its real path. Boot contract, `CARTEIRO_DATA_DIR` */
export const ensureDataDir = (path: string): Effect.Effect<string, StartRefused> =>
  Effect.try({
    try: () => {
      if (!existsSync(path)) {
        makeFolders(resolve(path))
        // As root, PostgreSQL runs as another user, who must pass through but need not look around.
        chmodSync(path, isRoot() ? 0o711 : 0o700)
      }
      if (!statSync(path).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" })
      return realpathSync(path)
    },
    catch: (error) => new StartRefused({ message: `CARTEIRO_DATA_DIR: cannot use ${resolve(path)} (${reason(error)})` })
  })

/** Writes a file that only its owner reads (mode 0600) in one step: a reader sees the old text or the new one. */
export const writePrivateFile = (path: string, text: string): Effect.Effect<void, StartRefused> =>
  Effect.try({
    try: () => {
      const fresh = temporary(path)
      writeFileSync(fresh, text, { mode: 0o600, flush: true })
      renameSync(fresh, path)
    },
    catch: (error) => new StartRefused({ message: `cannot write ${path} (${reason(error)})` })
  })

/** The text of a file, or undefined when there is none. */
export const readIfThere = (path: string): Effect.Effect<string | undefined, StartRefused> =>
  Effect.try({
    try: () => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    catch: (error) => new StartRefused({ message: `cannot read ${path} (${reason(error)})` })
  })

/**
 * Holds the data directory for this process until the scope closes; answers false when another living process holds
 * it. What a killed process left behind counts for nothing.
 */
export const lockDataDir = (dataDir: string): Effect.Effect<boolean, StartRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => lock(join(dataDir, "owner.json")),
      catch: (error) => new StartRefused({ message: `CARTEIRO_DATA_DIR: cannot use ${dataDir} (${reason(error)})` })
    }),
    (held) => Effect.sync(() => held && rmSync(join(dataDir, "owner.json"), { force: true }))
  )

export const isRoot = (): boolean => process.getuid?.() === 0

// Node's own recursive mkdir never returns where a folder cannot be made inside an existing one, as in /proc.
const makeFolders = (path: string): void => {
  if (existsSync(path)) return
  makeFolders(dirname(path))
  mkdirSync(path)
}

const lock = (path: string): boolean => {
  const mine = temporary(path)
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) }), { mode: 0o600 })
  try {
    if (existsSync(path)) {
      if (isHeld(readFileSync(path, "utf8"))) return false
      rmSync(path, { force: true })
    }
    linkSync(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  } finally {
    rmSync(mine, { force: true })
  }
}

const isHeld = (text: string): boolean => {
  const holder = /"pid":(\d+),"started":"([^"]*)"/.exec(text)
  if (holder === null) return false
  const pid = Number(holder[1])
  return isAlive(pid) && holder[2] === startedAt(pid)
}

const temporary = (path: string): string => `${path}.${process.pid}.${randomBytes(4).toString("hex")}`

const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
