import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

const speechSimulator = (number: 1 | 2 | 3): Simulator => {
  const vendor = `speechprov${number}` as const
  const variable = (end: string) => `CARTEIRO_${vendor.toUpperCase()}_${end}`
  const keyOf = (settings: SettingsValues, keys: Redacted.Redacted<MasterKeys>) =>
    settings[`${vendor}ApiKey`] ?? Redacted.make(developmentSecret(keys, vendor))
  return {
    name: "speechprov",
    member: vendor,
    program: (settings) => {
      const driver = settings[`${vendor}Driver`]
      return driver === "bridge" ? "speechprov" : driver
    },
    isWanted: (settings) => settings[`${vendor}ApiBaseUrl`] === undefined,
    options: (settings) =>
      settings[`${vendor}Driver`] === "bridge"
        ? ["--vendor", String(number), "--work-ms", String(2 * settings.sandboxStatusDelayMs)]
        : ["--role", vendor],
    environment: (settings, keys, url) => ({
      ...(url === undefined
        ? undefined
        : { [variable("DRIVER")]: settings[`${vendor}Driver`], [variable("API_BASE_URL")]: url }),
      // A real vendor's key is set, or there is none.
      ...(url === undefined && settings[`${vendor}ApiBaseUrl`] !== undefined
        ? undefined
        : { [variable("API_KEY")]: Redacted.value(keyOf(settings, keys)) })
    }),
    settings: (settings, keys, url) =>
      url === undefined ? {} : { [`${vendor}ApiBaseUrl`]: url, [`${vendor}ApiKey`]: keyOf(settings, keys) },
    members: (settings) => {
      const key = settings[`${vendor}ApiKey`]
      return {
        [vendor]: settings[`${vendor}ApiBaseUrl`] ?? null,
        [`${vendor}_api_key`]: key === undefined ? null : Redacted.value(key)
      }
    }
  }
}

/** The simulated vendors of speech. Boot contract, "Settings" */
export const speechSimulators: ReadonlyArray<Simulator> = [speechSimulator(1), speechSimulator(2), speechSimulator(3)]

/** The keys that the demo organization's production environment is given. gaps-2 L "Setup session routes" */
export const speechDemo = (settings: SettingsValues): ReadonlyArray<readonly [SpeechVendor, Redacted.Redacted]> =>
  (["speechprov1", "speechprov2", "speechprov3"] as const).flatMap((vendor) => {
    const key = settings[`${vendor}ApiKey`]
    return key === undefined ? [] : [[vendor, key] as const]
  })
