import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

type Keys = Redacted.Redacted<MasterKeys>

/** The account of the demo organization's production environment at the simulated platform. Boot contract, "Ready" */
export const upstreamDemo = (keys: Keys) => ({
  biz_account_id: "209876543210001",
  phone_number_id: "109876543210001",
  token: `sim${developmentSecret(keys, "upstream_token")}`
})

/** The templates that every environment is seeded with, as the platform has approved them. Boot contract, "Ready" */
const templates = [
  { name: "welcome", language: "pt_BR", category: "UTILITY", body: 1 },
  { name: "promo", language: "pt_BR", category: "MARKETING", body: ["first_name"] },
  { name: "code", language: "pt_BR", category: "AUTHENTICATION", body: 1 }
]

/** The secrets that both sides share, by setting, unless the environment sets them. */
const agreed = (settings: SettingsValues, keys: Keys) => ({
  upstreamAppId: settings.upstreamAppId ?? "309876543210001",
  upstreamAppSecret: settings.upstreamAppSecret ?? Redacted.make(developmentSecret(keys, "upstream_app_secret")),
  upstreamWebhookVerifyToken:
    settings.upstreamWebhookVerifyToken ?? Redacted.make(developmentSecret(keys, "upstream_verify_token"))
})

/** The simulated chat platform. Boot contract, "Settings" */
export const upstreamSimulator: Simulator = {
  name: "upstream",
  isWanted: (settings) => settings.upstreamApiBaseUrl === undefined,
  options: (settings) => ["--status-unit-ms", String(settings.sandboxStatusDelayMs)],
  environment: (settings, keys, url) => {
    const { upstreamAppId, upstreamAppSecret, upstreamWebhookVerifyToken } = agreed(settings, keys)
    return {
      ...(url === undefined
        ? undefined
        : {
            CARTEIRO_UPSTREAM_API_BASE_URL: url,
            CARTEIRO_UPSTREAM_DIALOG_URL:
              settings.upstreamDialogUrl ?? `${url}/${settings.upstreamApiVersion}/dialog/oauth`,
            CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true"
          }),
      CARTEIRO_UPSTREAM_APP_ID: upstreamAppId,
      CARTEIRO_UPSTREAM_APP_SECRET: Redacted.value(upstreamAppSecret),
      CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: Redacted.value(upstreamWebhookVerifyToken),
      CARTEIRO_UPSTREAM_MESSAGING_PRODUCT: settings.upstreamMessagingProduct
    }
  },
  settings: (settings, keys, url) => ({
    ...agreed(settings, keys),
    upstreamApiBaseUrl: url ?? settings.upstreamApiBaseUrl,
    upstreamDialogUrl:
      settings.upstreamDialogUrl ??
      (url === undefined ? undefined : `${url}/${settings.upstreamApiVersion}/dialog/oauth`),
    // This one reports on groups, unlike the platform itself so far. gaps-3 B "Production group calls"
    groupsUpstreamReportsEnabled: true
  }),
  members: (settings, keys) => {
    const { upstreamAppSecret, upstreamWebhookVerifyToken } = agreed(settings, keys)
    const { biz_account_id, phone_number_id } = upstreamDemo(keys)
    return {
      upstream: settings.upstreamApiBaseUrl ?? null,
      upstream_app_secret: Redacted.value(upstreamAppSecret),
      upstream_verify_token: Redacted.value(upstreamWebhookVerifyToken),
      upstream_phone_number_id: phone_number_id,
      upstream_biz_account_id: biz_account_id
    }
  },
  // The product looks at the demonstration's account as soon as it is seeded, which is before anybody tells of it.
  begins: (keys, urlOf) => {
    const numprov = urlOf("numprov")
    return { account: demoAccount(keys, ""), ...(numprov === undefined ? undefined : { sms_url: `${numprov}/sms` }) }
  },
  told: (keys, { baseUrl, phone }) => ({
    account: demoAccount(keys, phone ?? ""),
    webhook_url: `${baseUrl}/webhooks/upstream`
  })
}

const demoAccount = (keys: Keys, display_phone_number: string) => {
  const { biz_account_id, phone_number_id, token } = upstreamDemo(keys)
  return {
    biz_account_id,
    token,
    numbers: [{ id: phone_number_id, display_phone_number }],
    templates,
    subscribed: true
  }
}
