import { parseArgs } from "node:util"
import { CurrentStart, StartPatience } from "@carteiro/tables/StartPatience.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer } from "effect"
import { showBanner } from "./boot/Banner.ts"
import { bringUpToDate, openDatabase } from "./boot/Database.ts"
import { devFilePath, readDevFile, writeDevFile } from "./boot/DevFile.ts"
import { environment } from "./boot/Environment.ts"
import { freePort } from "./boot/FreePort.ts"
import { masterKeys } from "./boot/MasterKey.ts"
import { type NodeProcess, sharedEnvironment, startNode } from "./boot/NodeProcess.ts"
import { readSettings, type SettingsValues } from "./boot/Settings.ts"
import { portFor } from "./boot/StartProblems.ts"
import { StartRefused, tellRefusal } from "./boot/StartRefused.ts"
import { StartSteps, terminalSteps } from "./boot/StartSteps.ts"
import { type RunningSimulators, runSimulators } from "./boot/simulators/Simulators.ts"
import packageJson from "./package.json" with { type: "json" }

// `npm run cluster -- --shards 3 --edges 1`: several nodes on this machine over one PostgreSQL. It starts them, prints
// where they are, restarts nothing, and stops them in order. Boot contract, "Several nodes on one machine"

/** Edges drain, then shards hand over; together with the database within the 15 seconds a stop may take. */
const edgesWithinMs = 5000
const shardsWithinMs = 6000
const longestStopMs = 14_000

interface Started {
  readonly role: "shard" | "edge"
  readonly number: number
  readonly process: NodeProcess
  readonly http: string
  readonly runner: string
  readonly admin: string
}

type Environment = Readonly<Record<string, string>>

const usage = `Usage: npm run cluster -- [--shards 3] [--edges 1]

Starts so many nodes on this machine over one PostgreSQL, prints where they are, and stops them in order. It takes the
settings of npm start (npm start -- --help); PORT and CARTEIRO_ADMIN_PORT are those of the first edge. Each node is one
process, so that CARTEIRO_PROCESSES counts for nothing. A node that ends is not started again.
`

const program = Effect.gen(function* () {
  const { edges, shards } = yield* counts
  const settings = yield* readSettings
  const keys = yield* masterKeys(settings)
  const opened = Effect.tap(openDatabase(settings), (database) => bringUpToDate(database, settings)).pipe(
    Effect.provideService(CurrentStart, new StartPatience())
  )
  const [simulators, database] = yield* Effect.all([runSimulators({ ...settings, role: "all" }, keys), opened], {
    concurrency: "unbounded"
  })
  const shared = { ...simulators.environment, ...sharedEnvironment(keys, database.shownUrl) }
  return yield* Effect.raceFirst(runNodes(settings, simulators, shared, shards, edges), database.lost)
})

const runNodes = Effect.fnUntraced(function* (
  settings: SettingsValues,
  simulators: RunningSimulators,
  shared: Environment,
  shards: number,
  edges: number
) {
  const port = yield* portFor("public", settings.host, settings.port)
  const admin = yield* portFor("admin", "127.0.0.1", settings.adminPort)
  const tellStep = yield* StartSteps
  if (settings.mode === "development") {
    tellStep("making or finding the demo organization")
    yield* seed({ ...shared, PORT: String(port) })
  }
  tellStep(`starting ${shards} shards and ${edges} edges`)
  const owners = yield* group(shardsWithinMs, range(shards), (number) => startShard(settings, shared, number))
  const answering = yield* group(edgesWithinMs, range(edges), (number) =>
    number === 1 ? startEdge(settings, shared, number, port, admin) : startAnyEdge(settings, shared, number)
  )
  const [first] = yield* Effect.forEach(answering, (node) => node.process.ready, { concurrency: "unbounded" })
  yield* Effect.forEach(owners, (node) => node.process.ready, { concurrency: "unbounded" })
  const baseUrl = first ?? ""
  const adminUrl = answering[0]?.admin ?? ""
  const file = settings.mode === "development" ? yield* tellDevFile(settings, baseUrl, adminUrl) : undefined
  yield* print([...owners, ...answering].map(line))
  if (file !== undefined) {
    const { pixprov2_connection_id: pixprov2ConnectionId } = file.simulators
    simulators.tell({ baseUrl, phone: null, pixprov2ConnectionId })
  }
  const demo = file && { file, path: devFilePath(settings.dataDir) }
  yield* Effect.sync(() => showBanner({ version: packageJson.version, baseUrl, adminUrl, demo }))
  yield* print([`ready ${baseUrl}`])
  return yield* Effect.never
})

/** `--shards` and `--edges`, one of each at least. */
const counts = Effect.gen(function* () {
  const { values } = yield* Effect.try({
    try: () => parseArgs({ options: { shards: { type: "string" }, edges: { type: "string" } } }),
    catch: () => new StartRefused({ message: "usage: npm run cluster -- [--shards 3] [--edges 1]" })
  })
  return { shards: yield* count("--shards", values.shards ?? "3"), edges: yield* count("--edges", values.edges ?? "1") }
})

const count = (option: string, text: string) =>
  /^[1-9]\d?$/.test(text)
    ? Effect.succeed(Number(text))
    : new StartRefused({ message: `${option}: expected a number from 1 to 99, not "${text}"` })

/** A node in role `all` seeds the demo organization and stops before the others start. */
const seed = (env: Environment) =>
  Effect.acquireUseRelease(
    startNode("the seeding node", { ...env, CARTEIRO_ROLE: "all", CARTEIRO_ADMIN_PORT: "0" }),
    (node) => node.ready,
    (node) => stopAll([node], shardsWithinMs)
  )

/** dev.json as the seeding node left it, with the addresses of the first edge. */
const tellDevFile = Effect.fnUntraced(function* (settings: SettingsValues, baseUrl: string, adminUrl: string) {
  const seeded = yield* readDevFile(settings.dataDir)
  if (seeded === undefined) return undefined
  const file = { ...seeded, base_url: baseUrl, admin_url: adminUrl }
  yield* writeDevFile(settings.dataDir, file)
  return file
})

const startShard = Effect.fnUntraced(function* (settings: SettingsValues, shared: Environment, number: number) {
  const runner = yield* freePort(number === 1 ? settings.runnerPort : 0)
  const admin = yield* freePort()
  const node = yield* startNode(`shard ${number}`, {
    ...shared,
    CARTEIRO_ROLE: "shard",
    CARTEIRO_RUNNER_PORT: String(runner),
    CARTEIRO_ADMIN_PORT: String(admin)
  })
  const at = `${settings.runnerHost}:${runner}`
  return { role: "shard", number, process: node, http: "-", runner: at, admin: loopback(admin) } satisfies Started
})

const startEdge = Effect.fnUntraced(function* (
  settings: SettingsValues,
  shared: Environment,
  number: number,
  port: number,
  admin: number
) {
  const node = yield* startNode(`edge ${number}`, {
    ...shared,
    CARTEIRO_ROLE: "edge",
    PORT: String(port),
    CARTEIRO_ADMIN_PORT: String(admin)
  })
  const http = `http://${settings.host}:${port}`
  return { role: "edge", number, process: node, http, runner: "-", admin: loopback(admin) } satisfies Started
})

const startAnyEdge = Effect.fnUntraced(function* (settings: SettingsValues, shared: Environment, number: number) {
  return yield* startEdge(settings, shared, number, yield* freePort(), yield* freePort())
})

/** Starts nodes that stop together when the scope closes. */
const group = <E, R>(
  withinMs: number,
  numbers: ReadonlyArray<number>,
  startOne: (number: number) => Effect.Effect<Started, E, R>
) =>
  Effect.acquireRelease(Effect.forEach(numbers, startOne), (nodes) =>
    stopAll(
      nodes.map((node) => node.process),
      withinMs
    )
  )

const stopAll = (nodes: ReadonlyArray<NodeProcess>, withinMs: number) =>
  Effect.forEach(nodes, (node) => Effect.flatMap(node.stop(withinMs), (gone) => (gone ? Effect.void : node.kill)), {
    concurrency: "unbounded",
    discard: true
  })

const line = ({ admin, http, number, process: { pid }, role, runner }: Started) =>
  `node ${role} ${number} pid=${pid} http=${http} runner=${runner} admin=${admin}`

const print = (lines: ReadonlyArray<string>) => Effect.sync(() => process.stdout.write(`${lines.join("\n")}\n`))

const loopback = (port: number) => `http://127.0.0.1:${port}`

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

if (process.argv.slice(2).some((option) => option === "--help" || option === "-h")) {
  process.stdout.write(usage)
  process.exit(0)
}

// A node, or the database, that hangs must not outlive the stop.
const limitStop = () => setTimeout(() => process.exit(0), longestStopMs).unref()
process.once("SIGTERM", limitStop)
process.once("SIGINT", limitStop)
NodeRuntime.runMain(
  tellRefusal(Effect.provide(Effect.scoped(program), [environment, Layer.succeedContext(terminalSteps)])),
  {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? 1 : 0)
  }
)
