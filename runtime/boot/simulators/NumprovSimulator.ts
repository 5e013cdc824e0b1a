import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

/** The secrets that both sides share, by setting, unless the environment sets them. */
const agreed = (settings: SettingsValues, keys: Redacted.Redacted<MasterKeys>) => ({
  numprovApiKey: settings.numprovApiKey ?? Redacted.make(developmentSecret(keys, "numprov")),
  numprovWebhookSecret:
    settings.numprovWebhookSecret ?? Redacted.make(developmentSecret(keys, "numprov_webhook_secret"))
})

/** The simulated number provider. Boot contract, "Settings" */
export const numprovSimulator: Simulator = {
  name: "numprov",
  program: ({ numprovDriver }) => (numprovDriver === "telnyx" ? "telnyx" : "numprov"),
  isWanted: (settings) => settings.numprovApiBaseUrl === undefined,
  options: (settings) => ["--work-ms", String(2 * settings.sandboxStatusDelayMs)],
  environment: (settings, keys, url) => {
    // A real provider's key and secret are set, or there are none.
    if (url === undefined && settings.numprovApiBaseUrl !== undefined) return {}
    const { numprovApiKey, numprovWebhookSecret } = agreed(settings, keys)
    return {
      ...(url === undefined
        ? undefined
        : { CARTEIRO_NUMPROV_DRIVER: settings.numprovDriver, CARTEIRO_NUMPROV_API_BASE_URL: url }),
      CARTEIRO_NUMPROV_API_KEY: Redacted.value(numprovApiKey),
      CARTEIRO_NUMPROV_WEBHOOK_SECRET: Redacted.value(numprovWebhookSecret)
    }
  },
  settings: (settings, keys, url, { public_key }) => {
    if (url === undefined) return {}
    const both = { ...agreed(settings, keys), numprovApiBaseUrl: url }
    // Telnyx signs with a private key, which the simulator makes of the secret; this side verifies by its public key.
    return public_key === undefined ? both : { ...both, numprovWebhookSecret: Redacted.make(public_key) }
  },
  members: (settings) => ({ numprov: settings.numprovApiBaseUrl ?? null }),
  told: (_keys, { baseUrl }) => ({ webhook_url: `${baseUrl}/webhooks/numprov/platform` })
}
