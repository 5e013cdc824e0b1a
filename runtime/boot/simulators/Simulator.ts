import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import type { Redacted } from "effect"
import type { SimulatorMembers } from "../DevFile.ts"
import type { SettingsValues } from "../Settings.ts"

/** Facts that a simulator's process prints before it is ready, by name. */
export type Facts = Readonly<Record<string, string>>

/** The demonstration, as a simulator is told of it once it stands. */
export interface Demonstration {
  /** Where this server listens. */
  readonly baseUrl: string
  /** The production number. */
  readonly phone: string | null
  /** The production environment's account at Pix provider 2. */
  readonly pixprov2ConnectionId: string | null
}

/**
 * A vendor that is simulated in development unless a setting names the real one. `url` is the simulator's, and `facts` are what
 * its process says of it beside that.
 */
export interface Simulator {
  /** The role that it plays, and unless `program` says otherwise its name on the command line of `packages/simulators/main.ts`. */
  readonly name: string
  /** The program that plays it for a driver; the one of its name when left out. */
  readonly program?: (settings: SettingsValues) => string
  /** Where dev.json has its address; its name when left out. */
  readonly member?: keyof SimulatorMembers
  /** Where dev.json has the address of its control routes, of one whose own address does not serve them. */
  readonly controlMember?: keyof SimulatorMembers
  readonly isWanted: (settings: SettingsValues) => boolean
  readonly options: (settings: SettingsValues) => ReadonlyArray<string>
  /** Variables that simulator and other nodes take the same values from; without `url` those of the simulator. */
  readonly environment: (
    settings: SettingsValues,
    keys: Redacted.Redacted<MasterKeys>,
    url: string | undefined
  ) => Readonly<Record<string, string>>
  /** Returns the settings of this process for the running simulator; a command beside it knows no facts. */
  readonly settings: (
    settings: SettingsValues,
    keys: Redacted.Redacted<MasterKeys>,
    url: string | undefined,
    facts: Facts
  ) => Partial<SettingsValues>
  /** Returns its members of dev.json, from those settings. */
  readonly members: (
    settings: SettingsValues,
    keys: Redacted.Redacted<MasterKeys>,
    facts: Facts
  ) => Partial<SimulatorMembers>
  /**
   * Returns what it is told as soon as all of them listen, before its first call; `urlOf` is where another one does, undefined for
   * a vendor that is not simulated, and `settings` are those of the running simulator.
   */
  readonly begins?: (
    keys: Redacted.Redacted<MasterKeys>,
    urlOf: (name: string) => string | undefined,
    settings: SettingsValues
  ) => object
  /** Returns what it is told of the demonstration; undefined for nothing. */
  readonly told?: (keys: Redacted.Redacted<MasterKeys>, demonstration: Demonstration) => object
}
