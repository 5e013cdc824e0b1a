import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

/** The cards that the simulator knows. Boot contract, "Ready" */
const cards = ["pm_card_ok", "pm_card_declined", "pm_card_authentication"] as const

/** The secrets that both sides share, by setting, unless the environment sets them. */
const agreed = (settings: SettingsValues, keys: Redacted.Redacted<MasterKeys>) => ({
  cardprocApiKey: settings.cardprocApiKey ?? Redacted.make(developmentSecret(keys, "cardproc")),
  cardprocWebhookSecret:
    settings.cardprocWebhookSecret ?? Redacted.make(developmentSecret(keys, "cardproc_webhook_secret"))
})

/** The simulated card processor. Boot contract, "Settings" */
export const cardprocSimulator: Simulator = {
  name: "cardproc",
  program: ({ cardprocDriver }) => (cardprocDriver === "stripe" ? "stripe" : "cardproc"),
  isWanted: (settings) => settings.cardprocApiBaseUrl === undefined,
  options: () => [],
  environment: (settings, keys, url) => {
    // A real processor's key and secret are set, or there are none.
    if (url === undefined && settings.cardprocApiBaseUrl !== undefined) return {}
    const { cardprocApiKey, cardprocWebhookSecret } = agreed(settings, keys)
    return {
      ...(url === undefined
        ? undefined
        : { CARTEIRO_CARDPROC_DRIVER: settings.cardprocDriver, CARTEIRO_CARDPROC_API_BASE_URL: url }),
      CARTEIRO_CARDPROC_API_KEY: Redacted.value(cardprocApiKey),
      CARTEIRO_CARDPROC_WEBHOOK_SECRET: Redacted.value(cardprocWebhookSecret)
    }
  },
  settings: (settings, keys, url) => (url === undefined ? {} : { ...agreed(settings, keys), cardprocApiBaseUrl: url }),
  members: (settings) => ({
    cardproc: settings.cardprocApiBaseUrl ?? null,
    cardproc_cards: [...cards],
    cardproc_api_key: shown(settings.cardprocApiKey),
    cardproc_webhook_secret: shown(settings.cardprocWebhookSecret)
  }),
  told: (_keys, { baseUrl }) => ({ webhook_url: `${baseUrl}/webhooks/cardproc` })
}

const shown = (secret: Redacted.Redacted | undefined): string | null =>
  secret === undefined ? null : Redacted.value(secret)
