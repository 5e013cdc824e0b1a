import * as Readers from "./Readers.ts"
import { row, type Setting } from "./Rows.ts"

// Which vendor plays a role of the contract. Boot contract, "Amendments of November 2026"

/** The setting of a role's driver: the first one is its default, and every role has the bridge. */
const driver = <const D extends string>(role: string, about: string, standard: D, ...others: ReadonlyArray<D>) =>
  row<D>(
    `CARTEIRO_${role}_DRIVER`,
    `vendor behind ${about}; bridge is the protocol for a vendor of one's own`,
    standard === "bridge"
      ? standard
      : `${standard}; bridge while CARTEIRO_${role}_API_BASE_URL is set without a driver`,
    Readers.oneOf(standard, ...others),
    () => standard
  )

/** The driver of each role, by the name the code knows it under. */
export const driverSettings = {
  cardprocDriver: driver<"stripe" | "bridge">("CARDPROC", "the card processor", "stripe", "bridge"),
  pixprov1Driver: driver<"bridge">("PIXPROV1", "Pix provider 1", "bridge"),
  pixprov2Driver: driver<"mercadopago" | "pix-api" | "bridge">(
    "PIXPROV2",
    "the service's own account for Pix",
    "mercadopago",
    "pix-api",
    "bridge"
  ),
  numprovDriver: driver<"telnyx" | "bridge">("NUMPROV", "the number provider", "telnyx", "bridge"),
  speechprov1Driver: driver<"openai" | "bridge">("SPEECHPROV1", "speech provider 1", "openai", "bridge"),
  speechprov2Driver: driver<"elevenlabs" | "openai" | "bridge">(
    "SPEECHPROV2",
    "speech provider 2",
    "elevenlabs",
    "openai",
    "bridge"
  ),
  speechprov3Driver: driver<"elevenlabs" | "openai" | "bridge">(
    "SPEECHPROV3",
    "speech provider 3",
    "bridge",
    "elevenlabs",
    "openai"
  )
}

/** The values of the settings of drivers. */
export type Drivers = {
  readonly [Key in keyof typeof driverSettings]: (typeof driverSettings)[Key] extends Setting<infer D> ? D : never
}

/** A role whose address is set without its driver: the bridge is spoken there, as in releases before drivers had vendors. */
export interface AssumedBridge {
  /** The variable to set. */
  readonly setting: string
  /** The variable that is set. */
  readonly address: string
  /** The driver that the role has without either. */
  readonly standard: string
}

const addressed = [
  ["cardprocDriver", "cardprocApiBaseUrl"],
  ["pixprov2Driver", "pixprov2ApiBaseUrl"],
  ["numprovDriver", "numprovApiBaseUrl"],
  ["speechprov1Driver", "speechprov1ApiBaseUrl"],
  ["speechprov2Driver", "speechprov2ApiBaseUrl"],
  ["speechprov3Driver", "speechprov3ApiBaseUrl"]
] as const

type Addresses = { readonly [Key in (typeof addressed)[number][1]]: string | undefined }

/**
 * Returns the drivers by the addresses that are set without one, which mean the bridge for one release, and these roles.
 * `named` has the variables of drivers that are set. Boot contract, "Amendments of November 2026"
 */
export const driversByAddress = (
  values: Drivers & Addresses,
  named: ReadonlySet<string>
): { readonly drivers: Partial<Drivers>; readonly assumedBridges: ReadonlyArray<AssumedBridge> } => {
  const assumed = addressed.filter(
    ([key, address]) =>
      values[address] !== undefined && values[key] !== "bridge" && !named.has(driverSettings[key].name)
  )
  return {
    drivers: Object.fromEntries(assumed.map(([key]) => [key, "bridge"])),
    assumedBridges: assumed.map(([key]) => {
      const setting = driverSettings[key].name
      return { setting, address: setting.replace(/_DRIVER$/, "_API_BASE_URL"), standard: values[key] }
    })
  }
}

/** Returns what an operator is told of such a role, and what to set. */
export const assumedBridgeWords = ({ address, setting, standard }: AssumedBridge) => ({
  finding: `${address} is set without ${setting}: the bridge is spoken there, and in the next release ${standard}.`,
  remedy: `Set ${setting} to bridge on every node, or to ${standard} where the address is that vendor's.`
})
