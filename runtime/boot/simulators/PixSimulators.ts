import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

type Keys = Redacted.Redacted<MasterKeys>

/** The account of the demo organization's production environment at Pix provider 2. Boot contract, "Ready" */
export const pixprov2Demo = (keys: Keys) => ({
  api_key: `sim${developmentSecret(keys, "pixprov2")}`,
  webhook_secret: developmentSecret(keys, "pixprov2_webhook_secret")
})

/** The secrets of the service's own account that both sides share, by setting, unless the environment sets them. */
const agreed = (settings: SettingsValues, keys: Keys) => ({
  pixprov2PlatformApiKey:
    settings.pixprov2PlatformApiKey ?? Redacted.make(developmentSecret(keys, "pixprov2_platform")),
  pixprov2PlatformWebhookSecret:
    settings.pixprov2PlatformWebhookSecret ?? Redacted.make(developmentSecret(keys, "pixprov2_platform_webhook_secret"))
})

const workMs = ({ sandboxStatusDelayMs }: SettingsValues): ReadonlyArray<string> => [
  "--work-ms",
  String(sandboxStatusDelayMs)
]

/** The simulated Pix provider 1: charges, and payments that agents make. Boot contract, "Settings" */
const pixprov1Simulator: Simulator = {
  name: "pixprov1",
  isWanted: (settings) => settings.pixprov1ApiBaseUrl === undefined,
  options: workMs,
  environment: (_settings, _keys, url) => (url === undefined ? {} : { CARTEIRO_PIXPROV1_API_BASE_URL: url }),
  settings: (_settings, _keys, url) => (url === undefined ? {} : { pixprov1ApiBaseUrl: url }),
  members: (settings) => ({ pixprov1: settings.pixprov1ApiBaseUrl ?? null })
}

/** Returns whether Pix provider 2 is simulated on the wire of a driver. */
const isSimulated =
  (driver: SettingsValues["pixprov2Driver"]): Simulator["isWanted"] =>
  (settings) =>
    settings.pixprov2ApiBaseUrl === undefined && settings.pixprov2Driver === driver

/** The simulated Pix provider 2: checkouts of merchants, and the service's own charges. Boot contract, "Settings" */
const pixprov2Simulator: Simulator = {
  name: "pixprov2",
  isWanted: isSimulated("bridge"),
  options: workMs,
  environment: (settings, keys, url) => {
    // A real vendor's key and secret are set, or there are none.
    if (url === undefined && settings.pixprov2ApiBaseUrl !== undefined) return {}
    const { pixprov2PlatformApiKey, pixprov2PlatformWebhookSecret } = agreed(settings, keys)
    return {
      ...(url === undefined
        ? undefined
        : { CARTEIRO_PIXPROV2_DRIVER: settings.pixprov2Driver, CARTEIRO_PIXPROV2_API_BASE_URL: url }),
      CARTEIRO_PIXPROV2_PLATFORM_API_KEY: Redacted.value(pixprov2PlatformApiKey),
      CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: Redacted.value(pixprov2PlatformWebhookSecret)
    }
  },
  settings: (settings, keys, url) => (url === undefined ? {} : { ...agreed(settings, keys), pixprov2ApiBaseUrl: url }),
  members: (settings, keys) => ({
    pixprov2: settings.pixprov2ApiBaseUrl ?? null,
    pixprov2_api_key: pixprov2Demo(keys).api_key,
    pixprov2_webhook_secret: pixprov2Demo(keys).webhook_secret,
    pixprov2_platform_api_key: shown(settings.pixprov2PlatformApiKey),
    pixprov2_platform_webhook_secret: shown(settings.pixprov2PlatformWebhookSecret)
  }),
  told: (keys, { baseUrl, pixprov2ConnectionId }) => {
    const { api_key, webhook_secret } = pixprov2Demo(keys)
    const receiver = `${baseUrl}/webhooks/pixprov2`
    const demo = { key: api_key, webhook_secret, webhook_url: `${receiver}/${pixprov2ConnectionId}` }
    return { platform_webhook_url: `${receiver}/platform`, accounts: pixprov2ConnectionId === null ? [] : [demo] }
  }
}

/** The same on the wire of Mercado Pago. */
const mercadopagoSimulator: Simulator = {
  ...pixprov2Simulator,
  name: "mercadopago",
  member: "pixprov2",
  isWanted: isSimulated("mercadopago"),
  options: () => []
}

const shown = (secret: Redacted.Redacted | undefined): string | null =>
  secret === undefined ? null : Redacted.value(secret)

/** The simulated Pix providers. */
export const pixSimulators: ReadonlyArray<Simulator> = [pixprov1Simulator, pixprov2Simulator, mercadopagoSimulator]
