import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer, type Redacted } from "effect"
import { nodeLayer } from "./app/Node.ts"
import { bringUpToDate, type Database, openDatabase, tellDatabase } from "./boot/Database.ts"
import { masterKeys } from "./boot/MasterKey.ts"
import { stopWithLauncher } from "./boot/NodeProcess.ts"
import { environment, readSettings, type SettingsValues, settingsHelp } from "./boot/Settings.ts"
import { listenerRefused } from "./boot/StartProblems.ts"
import { type StartRefused, tellRefusal } from "./boot/StartRefused.ts"
import { type RunningSimulators, runSimulators } from "./boot/simulators/Simulators.ts"
import packageJson from "./package.json" with { type: "json" }
import { readRunnerTls } from "./platform/owner/cluster/RunnerTls.ts"
import type { MasterKeys } from "./platform/secrets/MasterKeys.ts"
import * as Telemetry from "./platform/telemetry/Telemetry.ts"

// `npm start`: one process in the role that the settings name. Boot contract

const longestStopMs = 14_000
const { version } = packageJson

/** Everything the node is, built in the order of its dependencies and taken down in the opposite one. */
const serve = Effect.fnUntraced(function* (settings: SettingsValues) {
  const keys = yield* masterKeys(settings)
  const [simulators, database] = yield* Effect.all([runSimulators(settings, keys), openDatabase(settings)], {
    concurrency: "unbounded"
  })
  return yield* Effect.raceFirst(serveOn(simulators, keys, database), Effect.tapError(database.lost, tellLoss))
})

const serveOn = Effect.fnUntraced(function* (
  simulators: RunningSimulators,
  keys: Redacted.Redacted<MasterKeys>,
  database: Database
) {
  const { settings } = simulators
  yield* bringUpToDate(database, settings)
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
}).pipe(Effect.provide(environment))

// Owners and the database are given what is left of the 15 seconds; a stop that hangs must not outlive them.
const limitStop = (code: number) => setTimeout(() => process.exit(code), longestStopMs).unref()

const [option] = process.argv.slice(2)
if (option === "--help" || option === "-h") {
  process.stdout.write(settingsHelp())
} else if (option !== undefined) {
  process.stderr.write(`${option}: npm start takes no options but --help; settings are variables of the environment\n`)
  process.exitCode = 2
} else {
  process.once("SIGTERM", () => limitStop(0))
  process.once("SIGINT", () => limitStop(0))
  stopWithLauncher()
  NodeRuntime.runMain(tellRefusal(program), {
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? 1 : 0)
  })
}
