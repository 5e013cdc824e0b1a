import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { nodeFlags } from "@carteiro/runtime/boot/NodeProcess.ts"
import { Effect, Option, Schema, type Scope } from "effect"
import { type ClusterNode, nodesOf } from "../support/ClusterLines.ts"
import { childrenOf } from "../support/ProcessTable.ts"
import { type Caller, caller } from "./Api.ts"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { type Database, temporaryFolder } from "./Postgres.ts"
import { type Running, run } from "./Processes.ts"

/** The product, started as its users start it, on a database of its own. */
export interface Product {
  readonly url: string
  readonly dev: DevFile
  /** Every process of it. */
  readonly pids: () => ReadonlyArray<number>
  readonly database: Database
  /** Calls the sandbox environment of the demo organization. */
  readonly sandbox: Caller
  /** What its processes have printed. */
  readonly output: () => string
  /** The nodes its launcher has named; none of a single process. */
  readonly nodes: () => ReadonlyArray<ClusterNode>
  /** Sends a signal to one of its processes. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void
  /** Starts one more node with the same settings and these, and waits until it is ready. */
  readonly join: (settings: Readonly<Record<string, string>>) => Effect.Effect<Running, BenchFailure, Scope.Scope>
}

/** How one start differs from the usual one. */
export interface ProductOptions {
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  /** Several processes over one database, edges in front of shards, instead of one in role `all`. */
  readonly cluster?: { readonly shards: number; readonly edges: number }
}

/** Sandbox sends are accepted and their first step is an hour away. */
export const deferred = { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "3600000" }

/** The setting of a side that is compared with the product as it is by default: it keeps no request log. */
export const unlogged = { CARTEIRO_REQUEST_LOG: "off" }

/** Starts the product on an empty database and waits for `ready`; it is stopped when the scope closes. */
export const startProduct = Effect.fn("Product.start")(function* (options: ProductOptions) {
  const { folder, options: asked, postgres, root } = yield* Bench
  const database = yield* postgres.database(`bench_${options.name.replaceAll("-", "_")}`)
  const dataDir = yield* temporaryFolder(options.name)
  const profiling = asked.profile && options.cluster === undefined
  const settings = {
    ...cleared(),
    DATABASE_URL: database.url,
    CARTEIRO_MASTER_KEY: randomBytes(32).toString("hex"),
    CARTEIRO_DATA_DIR: dataDir,
    CARTEIRO_RATE_LIMITS: "off",
    CARTEIRO_LOG: "warn",
    CARTEIRO_RUNNER_PORT: String(yield* freePort()),
    PORT: String(yield* freePort()),
    ...options.env
  }
  const program = {
    name: `carteiro (${options.name})`,
    command: process.execPath,
    arguments: [
      ...nodeFlags,
      ...(profiling ? profileFlags(folder, options.name) : []),
      join(root, programOf(options)),
      ...argumentsOf(options)
    ],
    env: settings,
    ready: /^ready (http:\S+)$/m
  }
  const running = yield* run(program)
  const url = running.match[1] ?? ""
  const dev = yield* devFile(dataDir, url)
  if (asked.profile) yield* Effect.addFinalizer(() => tellStatements(database, options.name))
  const nodes = () => nodesOf(running.output())
  const product: Product = {
    url,
    dev,
    database,
    sandbox: yield* caller(url, dev.sandbox.api_key),
    pids: () => [...new Set([running.pid, ...childrenOf(running.pid), ...nodes().map(({ pid }) => pid)])],
    output: running.output,
    nodes,
    kill: (pid, signal) => process.kill(pid, signal),
    join: (its) =>
      run({ ...program, arguments: [...nodeFlags, join(root, "runtime/main.ts")], env: { ...settings, ...its } })
  }
  return product
})

/** Owners of these types in the memory of a node, as its own metrics tell. */
export const ownersIn = ({ admin }: ClusterNode, types: ReadonlyArray<string>): Effect.Effect<number, BenchFailure> =>
  Effect.tryPromise({
    try: async () => {
      const text = await (await fetch(`${admin}/metrics`)).text()
      const counts = text.matchAll(/^owner_resident\{owner="(\w+)"\} (\d+)$/gm)
      return [...counts].reduce((sum, [, type = "", count]) => sum + (types.includes(type) ? Number(count) : 0), 0)
    },
    catch: (error) => new BenchFailure({ message: `${admin}/metrics: ${String(error)}` })
  })

/** Prints what a profiled database spent most of its time on. */
export const tellStatements = Effect.fnUntraced(function* (database: Database, name: string) {
  const { say } = yield* Bench
  const rows = yield* Effect.orElseSucceed(database.mostExpensive(12), () => [])
  say(`\nstatements of ${name}: calls, total ms, mean ms, rows`)
  for (const { calls, mean, query, returned, total } of rows) {
    say(`  ${calls}  ${total}  ${mean}  ${returned}  ${String(query).replace(/\s+/g, " ").slice(0, 200)}`)
  }
})

/** Has a program leave its processor profile where the run looks for it, once it ends by itself. */
export const profileFlags = (folder: string, name: string): ReadonlyArray<string> => [
  "--cpu-prof",
  `--cpu-prof-dir=${profileFolder(folder, name)}`
]

/** Where a profiled product leaves its profile. */
export const profileFolder = (folder: string, name: string): string => join(folder, `profile-${name}`)

const programOf = ({ cluster }: ProductOptions) => (cluster === undefined ? "runtime/main.ts" : "runtime/cluster.ts")

const argumentsOf = ({ cluster }: ProductOptions): ReadonlyArray<string> =>
  cluster === undefined ? [] : ["--shards", String(cluster.shards), "--edges", String(cluster.edges)]

/** A run must not depend on the settings of the shell it is started from. */
const cleared = (): Record<string, undefined> =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(CARTEIRO_|OTEL_|HOST$)/.test(name))
      .map((name) => [name, undefined])
  )

const devFile = Effect.fnUntraced(function* (dataDir: string, url: string) {
  const path = join(dataDir, "dev.json")
  if (!existsSync(path)) return yield* new BenchFailure({ message: `${url} is ready but has written no dev.json` })
  const decoded = Schema.decodeUnknownOption(Schema.fromJsonString(DevFile))(readFileSync(path, "utf8"))
  return Option.isSome(decoded)
    ? decoded.value
    : yield* new BenchFailure({ message: `${url}: dev.json is not of its shape` })
})
