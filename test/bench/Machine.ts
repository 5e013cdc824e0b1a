import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os"
import type { Options } from "./Bench.ts"
import type { Postgres } from "./Postgres.ts"

/** The programs a run may need that npm does not bring, and what to do about a missing one. */
export const missingPrograms = (needed: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(needed)].filter((program) => versionOf(program, ["--version"]) === undefined)

/** One line for the person who has to install them. */
export const installHint = (programs: ReadonlyArray<string>): string =>
  `npm run bench needs ${programs.join(" and ")}: apt-get install -y ${programs.join(" ")}`

// wrk prints its version with its usage and leaves with 1.
const versionOf = (program: string, arguments_: ReadonlyArray<string>): string | undefined => {
  try {
    return firstLine(execFileSync(program, arguments_, { stdio: ["ignore", "pipe", "ignore"] }).toString())
  } catch (error) {
    const { code, stdout } = error as NodeJS.ErrnoException & { readonly stdout?: Buffer }
    return code === "ENOENT" ? undefined : firstLine(stdout?.toString() ?? "")
  }
}

const firstLine = (text: string) => text.trim().split("\n")[0] ?? ""

const packages = [
  "effect",
  "@effect/platform-node",
  "@effect/sql-pg",
  "fastify",
  "pg",
  "graphile-worker",
  "bullmq",
  "undici"
]

/** Machine, versions and settings of a run, as the head of the document. */
export const headOf = (postgres: Postgres, options: Options): string => {
  const require = createRequire(import.meta.url)
  const installed = packages.map((name) => `${name} ${packageVersion(require, name)}`)
  const memory = Math.round(totalmem() / 2 ** 30)
  const tools = [versionOf("wrk", ["--version"]), versionOf("redis-server", ["--version"])].map(
    (line) => line?.match(/(?:wrk|Redis server v=)\s*(\S+)/)?.[0]?.replace(/ server v=/, " ") ?? "none"
  )
  const settings = Object.entries(postgres.settings).map(([name, value]) => `${name} ${value}`)
  return `# Benchmarks

Written by \`npm run bench -- --write\`. Product and peers run on one machine, at the same time, on one PostgreSQL with
the same durability; rounds alternate, ${options.rounds} of ${options.seconds} s each after uncounted ones
until a side has served 10,000 requests, and the figures are medians. The load generator shares the processors. Read the ratios: the figures are this machine's.

CPU ms is processor time for each request, of the server's processes and of PostgreSQL together, PostgreSQL its part of
it; SQL is statements for each request, as \`pg_stat_statements\` counts them. The generator's processor time stands apart. Log bytes is
write-ahead log for each request, HOT the share of updates that touched no index. All include what a request causes after its answer.
The request log is on, as by default, but in the sides that name it: the peers keep none.
[Where accepting spends its time](benchmarks-profile.md) is a profile with the log on.

| | |
|---|---|
| machine | ${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${memory} GB, ${type()} ${release()} |
| Node.js | ${process.versions.node} |
| PostgreSQL | ${postgres.version}, ${settings.join(", ")} |
| packages | ${installed.join(", ")} |
| tools | ${tools.join(", ")} |
`
}

/** How busy others keep the machine, as its load before a run; above a tenth of it the ratios wobble. */
export const loadBefore = (): { readonly load: number; readonly busy: boolean } => {
  const load = loadavg()[0] ?? 0
  return { load, busy: load > availableParallelism() / 10 }
}

/** When, and of what, a run was. */
export const runLine = (root: string, options: Options, load: number): string => {
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date} at ${commitOf(root)}; ${options.rounds} rounds of ${options.seconds} s, load before the run ${load.toFixed(1)}.`
}

/** The commit of the tree, and whether files of it differ. */
export const commitOf = (root: string): string => {
  const git = (...arguments_: ReadonlyArray<string>) => {
    try {
      return execFileSync("git", ["-C", root, ...arguments_], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .trim()
    } catch {
      return ""
    }
  }
  const changed = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : ", with local changes"
  return `${git("rev-parse", "--short", "HEAD") || "an unknown commit"}${changed}`
}

const packageVersion = (require: NodeJS.Require, name: string): string => {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const text = readFileSync(`${folder}/${name}/package.json`, "utf8")
      return (JSON.parse(text) as { readonly version: string }).version
    } catch {
      // The next folder up.
    }
  }
  return "?"
}
