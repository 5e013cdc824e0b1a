import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { CurrentStart, StartPatience } from "@carteiro/tables/StartPatience.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer, type Redacted, type Scope } from "effect"
import { announce } from "../boot/Announcement.ts"
import { bringUpToDate, checkReplica, type Database, openDatabase, tellDatabase } from "../boot/Database.ts"
import { environment } from "../boot/Environment.ts"
import { masterKeys } from "../boot/MasterKey.ts"
import { stopWithLauncher } from "../boot/NodeProcess.ts"
import { sessionsOf } from "../boot/Poolers.ts"
import { type Supervised, tellReady, tellSupervisor } from "../boot/processes/Supervised.ts"
import { readSettings, type SettingsValues } from "../boot/Settings.ts"
import { listenerRefused, runnerRefused } from "../boot/StartProblems.ts"
import { type StartRefused, tellRefusal } from "../boot/StartRefused.ts"
import { terminalSteps } from "../boot/StartSteps.ts"
import { assumedBridgeWords } from "../boot/settings/DriverSettings.ts"
import { readRunnerTls } from "../boot/settings/RunnerTls.ts"
import { type RunningSimulators, runSimulators } from "../boot/simulators/Simulators.ts"
import packageJson from "../package.json" with { type: "json" }
import * as Telemetry from "../telemetry/Telemetry.ts"
import { loadNode } from "./Load.ts"

const longestStopMs = 14_000
const { version } = packageJson

/** Runs a process on its database once that is there. */
type Serve = (
  simulators: RunningSimulators,
  keys: Redacted.Redacted<MasterKeys>,
  database: Database
) => Effect.Effect<never, StartRefused | Layer.Error<ReturnType<NodeModule["nodeLayer"]>>, Scope.Scope>

type NodeModule = Effect.Success<typeof loadNode>

/**
 * Everything the process is, built in the order of its dependencies and taken down in the opposite one. The node's modules
 * load while other processes make the database and start the simulators.
 */
const serve = Effect.fnUntraced(function* (settings: SettingsValues, supervised: Supervised | undefined) {
  const keys = yield* masterKeys(settings)
  const connections = sessionsOf(settings)
  const found = openDatabase(settings, false, connections)
  // The supervisor has brought the database up to date before it started this process.
  const opened =
    supervised === undefined
      ? Effect.tap(found, (database) => Effect.raceFirst(bringUpToDate(database, settings, connections), database.lost))
      : found
  const loaded: Effect.Effect<Serve> =
    supervised === undefined && settings.processes > 1
      ? Effect.map(
          Effect.promise(() => import("../boot/processes/Supervisor.ts")),
          ({ supervise }) => supervise
        )
      : Effect.map(loadNode, (node) => serveOn(node, supervised))
  const [simulators, database, serveIt] = yield* Effect.all([runSimulators(settings, keys), opened, loaded], {
    concurrency: "unbounded"
  })
  if (supervised === undefined) yield* checkReplica(database, settings)
  return yield* Effect.raceFirst(serveIt(simulators, keys, database), Effect.tapError(database.lost, tellLoss))
})

const serveOn = ({ nodeLayer }: NodeModule, supervised: Supervised | undefined): Serve =>
  Effect.fnUntraced(function* (simulators, keys, database) {
    const { settings } = simulators
    const tls = yield* readRunnerTls({
      cert: settings.runnerTlsCert,
      key: settings.runnerTlsKey,
      ca: settings.runnerTlsCa
    })
    const node = nodeLayer({
      settings,
      databaseUrl: database.url,
      shownDatabaseUrl: database.shownUrl,
      keys,
      tls,
      simulators,
      announce: supervised === undefined ? (it) => announce(it, settings.dataDir, simulators) : tellReady,
      supervised
    })
    yield* Layer.build(node).pipe(
      Effect.catchTag("AddressRefused", listenerRefused),
      Effect.catchTag("UnprotectedRunner", runnerRefused),
      (starting) => tellDatabase(database, starting)
    )
    return yield* Effect.never
  })

const tellLoss = ({ message }: StartRefused) =>
  Effect.andThen(
    Effect.logError("the embedded PostgreSQL is lost; this node stops", { message }),
    Effect.sync(() => limitStop(1))
  )

const program = Effect.fnUntraced(
  function* (supervised: Supervised | undefined) {
    const settings = yield* readSettings
    const telemetry = Telemetry.layer({
      level: settings.log,
      pretty: settings.logPretty,
      base: { role: settings.role, ...processMember(settings, supervised) },
      otlpEndpoint: settings.otlpEndpoint,
      version
    })
    const serving = Effect.andThen(
      supervised === undefined ? tellAssumedBridges(settings) : Effect.void,
      serve(settings, supervised)
    )
    return yield* Effect.provide(Effect.scoped(serving), telemetry)
  },
  (running) => Effect.suspend(() => Effect.provideService(running, CurrentStart, new StartPatience())),
  Effect.provide(environment),
  Effect.provide(terminalSteps)
)

/** Warns of each role that speaks the bridge for want of a driver. Boot contract, "Amendments of November 2026" */
const tellAssumedBridges = ({ assumedBridges }: SettingsValues) =>
  Effect.forEach(
    assumedBridges,
    (role) => {
      const { finding, remedy } = assumedBridgeWords(role)
      return Effect.logWarning(finding, { do: remedy })
    },
    { discard: true }
  )

/** Each line of the log that several processes share tells which of them wrote it. */
const processMember = (settings: SettingsValues, supervised: Supervised | undefined) => {
  if (supervised !== undefined) return { process: supervised.number }
  return settings.processes > 1 ? { process: "supervisor" } : {}
}

// Owners and the database are given what is left of the 15 seconds; a stop that hangs must not outlive them.
const limitStop = (code: number) => setTimeout(() => process.exit(code), longestStopMs).unref()

/** Runs the process of `npm start`, or one of several that a supervisor started, until it is stopped. Boot contract, "Stopping" */
export const run = (supervised?: Supervised): void => {
  process.once("SIGTERM", () => limitStop(0))
  process.once("SIGINT", () => limitStop(0))
  stopWithLauncher()
  NodeRuntime.runMain(
    supervised === undefined ? tellRefusal(program(supervised)) : tellSupervisor(program(supervised)),
    {
      teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? 1 : 0)
    }
  )
}
