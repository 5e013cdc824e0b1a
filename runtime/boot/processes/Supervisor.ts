import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, type Redacted } from "effect"
import { serveAdmin } from "../../admin/AdminServer.ts"
import { type Announcement, announce } from "../Announcement.ts"
import type { Database } from "../Database.ts"
import { sharedEnvironment } from "../NodeProcess.ts"
import type { SettingsValues } from "../Settings.ts"
import { listenerRefused, portFor } from "../StartProblems.ts"
import { StartSteps } from "../StartSteps.ts"
import type { RunningSimulators } from "../simulators/Simulators.ts"
import { longestDrainMs } from "./Channel.ts"
import { type EqualProcess, startProcess } from "./EqualProcess.ts"
import { pagesOfAll } from "./PagesOfAll.ts"

/** Drained processes hand over; with the drain and the database within the 15 seconds that a stop may take. */
const longestLeaveMs = 4000

/** A process that ends again and again before it is ready is started after 0.2, 0.4 … seconds, at most five. */
const firstPauseMs = 100
const longestPauseMs = 5000

/** The processes that run, by their numbers, and whether all of them stop. */
interface Running {
  readonly processes: Map<number, EqualProcess>
  isStopping: boolean
}

/**
 * Runs CARTEIRO_PROCESSES equal processes on one port: starts each that ends again, prints one ready line and serves one
 * admin port, until the scope closes and they stop together. docs/decisions/0054
 */
export const supervise = Effect.fnUntraced(function* (
  simulators: RunningSimulators,
  keys: Redacted.Redacted<MasterKeys>,
  database: Database
) {
  const { settings } = simulators
  const numbers = Array.from({ length: settings.processes }, (_, number) => number)
  const runners =
    settings.role === "edge" ? [] : yield* Effect.forEach(numbers, (number) => runnerPort(settings, number))
  const shared = {
    ...simulators.environment,
    ...sharedEnvironment(keys, database.url),
    ...(settings.role === "shard" ? {} : { PORT: String(yield* portFor("public", settings.host, settings.port)) }),
    CARTEIRO_ADMIN_PORT: "0"
  }
  const running: Running = { processes: new Map(), isStopping: false }
  const isStopping = () => running.isStopping
  const pages = yield* pagesOfAll(() => [...running.processes.values()], isStopping)
  const admin = yield* Effect.catchTag(serveAdmin(settings.adminPort, pages), "AddressRefused", listenerRefused)
  yield* Effect.addFinalizer(() => stopTogether(running))
  const start = (number: number, seeds: boolean) => {
    const runner = runners[number]
    const env = runner === undefined ? shared : { ...shared, CARTEIRO_RUNNER_PORT: String(runner) }
    return Effect.tap(startProcess({ number, seeds, env, isStopping }), (started) =>
      Effect.sync(() => running.processes.set(number, started))
    )
  }
  const tellStep = yield* StartSteps
  tellStep(`starting ${settings.processes} processes`)
  const first = yield* Effect.forEach(numbers, (number) => Effect.uninterruptible(start(number, number === 0)))
  const announced = yield* Effect.forEach(first, (one) => one.announced, { concurrency: "unbounded" })
  yield* Effect.forEach(first, (one) => Effect.forkScoped(keepRunning(one, (number) => start(number, false))))
  yield* announce(ofAll(announced, settings, admin.url, database), settings.dataDir, simulators)
  return yield* Effect.never
})

/** Process n is reached at the runner port plus n; with port 0 each gets a free one. */
const runnerPort = ({ runnerHost, runnerPort }: SettingsValues, number: number) =>
  portFor("runner", runnerHost, runnerPort === 0 ? 0 : runnerPort + number)

/** The first process tells of the demo organization; the admin port and the database are the supervisor's. */
const ofAll = (
  [first]: ReadonlyArray<Announcement>,
  settings: SettingsValues,
  adminUrl: string,
  database: Database
): Announcement => {
  const url = settings.role === "shard" ? adminUrl : (first?.url ?? "")
  const demo = first?.demo
  const file = demo && { ...demo.file, admin_url: adminUrl, database_url: database.shownUrl }
  return { url, localUrl: first?.localUrl ?? url, adminUrl, demo: demo && file && { file, phone: demo.phone } }
}

/** Starts a process again whenever it ends, at once if it had been ready. */
const keepRunning = Effect.fnUntraced(function* (
  first: EqualProcess,
  start: (number: number) => Effect.Effect<EqualProcess>
) {
  let current = first
  let failures = 0
  while (true) {
    const how = yield* current.ended
    failures = current.wasReady() ? 0 : failures + 1
    yield* Effect.logError("a process ended and is started again", { number: current.number, pid: current.pid, how })
    if (failures > 0) yield* Effect.sleep(Math.min(firstPauseMs * 2 ** failures, longestPauseMs))
    current = yield* Effect.uninterruptible(start(current.number))
  }
})

/**
 * Stops all at once: none takes requests any more, then those that are open end while all owners are still there, then
 * owners are handed over. Boot contract, "Stopping"
 */
const stopTogether = Effect.fnUntraced(function* (running: Running) {
  running.isStopping = true
  const all = [...running.processes.values()].filter((one) => !one.hasEnded())
  for (const one of all) one.signal("SIGTERM")
  yield* within(longestDrainMs, all, (one) => Effect.raceFirst(one.drained, one.ended))
  for (const one of all) one.leave()
  yield* within(longestLeaveMs, all, (one) => one.ended)
  for (const one of all) if (!one.hasEnded()) one.signal("SIGKILL")
})

const within = (
  millis: number,
  all: ReadonlyArray<EqualProcess>,
  wait: (one: EqualProcess) => Effect.Effect<unknown>
) =>
  Effect.forEach(all, wait, { concurrency: "unbounded", discard: true }).pipe(
    Effect.interruptible,
    Effect.timeoutOption(millis)
  )
