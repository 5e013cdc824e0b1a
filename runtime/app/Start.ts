import { readRunnerTls } from "@carteiro/owners/Cluster.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer, type Redacted } from "effect"
import { bringUpToDate, type Database, openDatabase, tellDatabase } from "../boot/Database.ts"
import { environment } from "../boot/Environment.ts"
import { masterKeys } from "../boot/MasterKey.ts"
import { stopWithLauncher } from "../boot/NodeProcess.ts"
import { readSettings, type SettingsValues } from "../boot/Settings.ts"
import { listenerRefused } from "../boot/StartProblems.ts"
import { type StartRefused, tellRefusal } from "../boot/StartRefused.ts"
import { terminalSteps } from "../boot/StartSteps.ts"
import { type RunningSimulators, runSimulators } from "../boot/simulators/Simulators.ts"
import packageJson from "../package.json" with { type: "json" }
import * as Telemetry from "../telemetry/Telemetry.ts"
import { loadNode } from "./Load.ts"

const longestStopMs = 14_000
const { version } = packageJson

type NodeModule = Effect.Success<typeof loadNode>

/**
 * Everything the node is, built in the order of its dependencies and taken down in the opposite one. The node's modules
 * load while other processes make the database and start the simulators.
 */
const serve = Effect.fnUntraced(function* (settings: SettingsValues) {
  const keys = yield* masterKeys(settings)
  const opened = Effect.tap(openDatabase(settings), (database) =>
    Effect.raceFirst(bringUpToDate(database, settings), database.lost)
  )
  const [simulators, database, node] = yield* Effect.all([runSimulators(settings, keys), opened, loadNode], {
    concurrency: "unbounded"
  })
  return yield* Effect.raceFirst(serveOn(node, simulators, keys, database), Effect.tapError(database.lost, tellLoss))
})

const serveOn = Effect.fnUntraced(function* (
  { nodeLayer }: NodeModule,
  simulators: RunningSimulators,
  keys: Redacted.Redacted<MasterKeys>,
  database: Database
) {
  const { settings } = simulators
  const tls = yield* readRunnerTls({
    cert: settings.runnerTlsCert,
    key: settings.runnerTlsKey,
    ca: settings.runnerTlsCa
  })
  const { shownUrl: shownDatabaseUrl, url: databaseUrl } = database
  const node = nodeLayer({ settings, databaseUrl, shownDatabaseUrl, keys, tls, simulators })
  yield* Layer.build(node).pipe(Effect.catchTag("AddressRefused", listenerRefused), (starting) =>
    tellDatabase(database, starting)
  )
  return yield* Effect.never
})

const tellLoss = ({ message }: StartRefused) =>
  Effect.andThen(
    Effect.logError("the embedded PostgreSQL is lost; this node stops", { message }),
    Effect.sync(() => limitStop(1))
  )

const program = Effect.gen(function* () {
  const settings = yield* readSettings
  const telemetry = Telemetry.layer({
    level: settings.log,
    pretty: settings.logPretty,
    base: { role: settings.role },
    otlpEndpoint: settings.otlpEndpoint,
    version
  })
  return yield* Effect.provide(Effect.scoped(serve(settings)), telemetry)
}).pipe(Effect.provide(environment), Effect.provide(terminalSteps))

// Owners and the database are given what is left of the 15 seconds; a stop that hangs must not outlive them.
const limitStop = (code: number) => setTimeout(() => process.exit(code), longestStopMs).unref()

/** Runs the process of `npm start` until it is stopped. Boot contract, "Stopping" */
export const run = (): void => {
  process.once("SIGTERM", () => limitStop(0))
  process.once("SIGINT", () => limitStop(0))
  stopWithLauncher()
  NodeRuntime.runMain(tellRefusal(program), {
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? 1 : 0)
  })
}
