import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, type Redacted, type Scope } from "effect"
import { noSimulators, readDevFile, type SimulatorMembers } from "../DevFile.ts"
import type { SettingsValues } from "../Settings.ts"
import type { StartRefused } from "../StartRefused.ts"
import { StartSteps } from "../StartSteps.ts"
import { cardprocSimulator } from "./CardprocSimulator.ts"
import { numprovSimulator } from "./NumprovSimulator.ts"
import { pixApiSimulator } from "./PixApiSimulator.ts"
import { pixSimulators } from "./PixSimulators.ts"
import type { Demonstration, Simulator } from "./Simulator.ts"
import { portOptions, tellChangedPorts } from "./SimulatorPorts.ts"
import { type ListeningSimulator, startSimulators } from "./SimulatorProcess.ts"
import { speechSimulators } from "./SpeechSimulators.ts"
import { upstreamSimulator } from "./UpstreamSimulator.ts"

/** Every vendor that has one. */
const all: ReadonlyArray<Simulator> = [
  upstreamSimulator,
  numprovSimulator,
  cardprocSimulator,
  ...speechSimulators,
  ...pixSimulators,
  pixApiSimulator
]

/** The simulators that run for this process, and what follows from them. */
export interface RunningSimulators {
  readonly settings: SettingsValues
  /** For nodes that this process starts. */
  readonly environment: Readonly<Record<string, string>>
  readonly members: SimulatorMembers
  readonly tell: (demonstration: Demonstration) => void
}

/**
 * In development, starts the simulator of every vendor that no setting names, at the ports of the last start of the data
 * directory, since connections store addresses. In production, and on nodes that a launcher
 * started, none: the settings are as they are. Boot contract, "Settings"
 */
export const runSimulators = (
  settings: SettingsValues,
  keys: Redacted.Redacted<MasterKeys>
): Effect.Effect<RunningSimulators, StartRefused, Scope.Scope> =>
  Effect.gen(function* () {
    if (settings.mode === "production" || settings.role !== "all") return as(settings)
    let present = settings
    let environment: Readonly<Record<string, string>> = {}
    const wanted = all.filter((simulator) => simulator.isWanted(settings))
    const tellStep = yield* StartSteps
    if (wanted.length > 0) tellStep(`starting the simulators of ${wanted.length} vendors`)
    const last = (yield* readDevFile(settings.dataDir))?.simulators ?? noSimulators
    const listening = yield* startSimulators(
      yield* Effect.forEach(wanted, (simulator) =>
        Effect.map(portOptions(simulator, last), (ports) => ({
          name: simulator.program?.(settings) ?? simulator.name,
          options: [...simulator.options(settings), ...ports]
        }))
      ),
      Object.assign({}, ...wanted.map((simulator) => simulator.environment(settings, keys, undefined)))
    )
    const running = all.map((simulator): Started => ({ simulator, process: listening[wanted.indexOf(simulator)] }))
    const urlOf = (name: string) => running.find(({ simulator }) => simulator.name === name)?.process?.url
    let members = noSimulators
    for (const { process, simulator } of running) {
      const facts = process?.facts ?? {}
      present = { ...present, ...simulator.settings(present, keys, process?.url, facts) }
      const begins = simulator.begins?.(keys, urlOf, present)
      if (begins !== undefined) process?.tell(begins)
      environment = { ...environment, ...simulator.environment(present, keys, process?.url) }
      members = { ...members, ...simulator.members(present, keys, facts) }
    }
    yield* Effect.forEach(wanted, (simulator) => tellChangedPorts(simulator, last, members), { discard: true })
    return { settings: present, environment, members, tell: (of) => tellAll(running, keys, of) }
  })

/** The settings of a command: vendors that no setting names are where the node of this data directory wrote them down. */
export const besideSimulators = (
  settings: SettingsValues,
  keys: Redacted.Redacted<MasterKeys>,
  shown: SimulatorMembers
): SettingsValues => {
  let present = settings
  for (const simulator of all) {
    const url = shown[simulator.member ?? (simulator.name as keyof SimulatorMembers)]
    if (!simulator.isWanted(settings) || typeof url !== "string") continue
    present = { ...present, ...simulator.settings(present, keys, url, {}) }
  }
  return present
}

interface Started {
  readonly simulator: Simulator
  /** Undefined where a setting names the vendor. */
  readonly process: ListeningSimulator | undefined
}

const as = (settings: SettingsValues): RunningSimulators => ({
  settings,
  environment: {},
  members: noSimulators,
  tell: () => {}
})

const tellAll = (
  running: ReadonlyArray<Started>,
  keys: Redacted.Redacted<MasterKeys>,
  demonstration: Demonstration
): void => {
  for (const { process, simulator } of running) {
    const message = simulator.told?.(keys, demonstration)
    if (message !== undefined) process?.tell(message)
  }
}
