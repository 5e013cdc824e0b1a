import { createHash, createPrivateKey, createPublicKey } from "node:crypto"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

/** The secrets that both sides share, by setting, unless the environment sets them. */
const agreed = (settings: SettingsValues, keys: Redacted.Redacted<MasterKeys>) => ({
  numprovApiKey: settings.numprovApiKey ?? Redacted.make(developmentSecret(keys, "numprov")),
  numprovWebhookSecret:
    settings.numprovWebhookSecret ??
    Redacted.make(
      settings.numprovDriver === "telnyx" ? publicKeyOf("demo") : developmentSecret(keys, "numprov_webhook_secret")
    )
})

/** What stands before the 32 bytes of a private key of Ed25519 in its PKCS#8 form. */
const keyHead = Buffer.from("302e020100300506032b657004220420", "hex")

/** Returns the public key of the simulated Telnyx, whose private key is made of a text; in base64, as the vendor shows it. */
const publicKeyOf = (text: string): string => {
  const key = Buffer.concat([keyHead, createHash("sha256").update(text).digest()])
  const { x = "" } = createPublicKey(createPrivateKey({ key, format: "der", type: "pkcs8" })).export({ format: "jwk" })
  return Buffer.from(x, "base64url").toString("base64")
}

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
      ...(url === undefined ? undefined : { CARTEIRO_NUMPROV_API_BASE_URL: url }),
      CARTEIRO_NUMPROV_API_KEY: Redacted.value(numprovApiKey),
      CARTEIRO_NUMPROV_WEBHOOK_SECRET: Redacted.value(numprovWebhookSecret)
    }
  },
  settings: (settings, keys, url) => (url === undefined ? {} : { ...agreed(settings, keys), numprovApiBaseUrl: url }),
  members: (settings) => ({ numprov: settings.numprovApiBaseUrl ?? null }),
  told: (_keys, { baseUrl }) => ({ webhook_url: `${baseUrl}/webhooks/numprov/platform` })
}
