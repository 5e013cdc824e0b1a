import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Redacted } from "effect"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

/** Returns the folder of the simulated institution's certificates. */
const folderOf = ({ dataDir }: Pick<SettingsValues, "dataDir">): string => resolve(dataDir, "pix-api")

/** Returns the file with the authority of the simulated institution, as PEM text. */
export const pixApiAuthorityPath = (settings: Pick<SettingsValues, "dataDir">): string =>
  resolve(folderOf(settings), "authority.pem")

/** Returns the certificate that the institution hands out; its process has written it before it is ready. */
const clientCertificatePath = (settings: Pick<SettingsValues, "dataDir">): string =>
  resolve(folderOf(settings), "client.p12")

const certificatePassword = "simulated"

/** Returns whether the service's own account is at the simulated institution too. */
const hasOwnAccount = ({ pixprov2ApiBaseUrl, pixprov2Driver }: SettingsValues, url: string): boolean =>
  pixprov2Driver === "pix-api" && (pixprov2ApiBaseUrl === undefined || pixprov2ApiBaseUrl === url)

/** The OAuth client of the demo organization there. */
const demoClient = (keys: Redacted.Redacted<MasterKeys>) => ({
  client_id: "demo",
  client_secret: developmentSecret(keys, "pix_api")
})

/** The settings of the service's own account there, unless the environment sets them. */
const ownAccount = (settings: SettingsValues, keys: Redacted.Redacted<MasterKeys>, url: string) => {
  const path = clientCertificatePath(settings)
  const secret = (name: string) => Redacted.make(developmentSecret(keys, name))
  const certificate = existsSync(path) ? Redacted.make(readFileSync(path).toString("base64")) : undefined
  return {
    pixprov2ApiBaseUrl: url,
    pixprov2PlatformClientId: settings.pixprov2PlatformClientId ?? "carteiro",
    pixprov2PlatformApiKey: settings.pixprov2PlatformApiKey ?? secret("pixprov2_platform"),
    pixprov2PlatformWebhookSecret: settings.pixprov2PlatformWebhookSecret ?? secret("pixprov2_platform_webhook_secret"),
    pixprov2PlatformCertificate: settings.pixprov2PlatformCertificate ?? certificate,
    pixprov2PlatformCertificatePassword:
      settings.pixprov2PlatformCertificatePassword ?? Redacted.make(certificatePassword),
    pixprov2PlatformPixKey: settings.pixprov2PlatformPixKey ?? "billing@carteiro.test"
  }
}

/**
 * The simulated institution with the central bank's standard API, for connections of that driver and, where it is the
 * driver of the service's own account, for that too. Boot contract, "Settings"
 */
export const pixApiSimulator: Simulator = {
  name: "pix-api",
  member: "pix_api",
  controlMember: "pix_api_control",
  isWanted: (settings) => settings.pixApiSimulatorUrl === undefined,
  options: (settings) => ["--certificates", folderOf(settings), "--work-ms", String(settings.sandboxStatusDelayMs)],
  environment: (settings, keys, url) => {
    if (url === undefined) return {}
    const simulated = { CARTEIRO_PIX_API_SIMULATOR_URL: url }
    if (!hasOwnAccount(settings, url)) return simulated
    const own = ownAccount(settings, keys, url)
    return {
      ...simulated,
      CARTEIRO_PIXPROV2_DRIVER: "pix-api",
      CARTEIRO_PIXPROV2_API_BASE_URL: own.pixprov2ApiBaseUrl,
      CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID: own.pixprov2PlatformClientId,
      CARTEIRO_PIXPROV2_PLATFORM_API_KEY: Redacted.value(own.pixprov2PlatformApiKey),
      CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: Redacted.value(own.pixprov2PlatformWebhookSecret),
      ...(own.pixprov2PlatformCertificate === undefined
        ? undefined
        : { CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: Redacted.value(own.pixprov2PlatformCertificate) }),
      CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD: Redacted.value(own.pixprov2PlatformCertificatePassword),
      CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: own.pixprov2PlatformPixKey
    }
  },
  settings: (settings, keys, url) =>
    url === undefined
      ? {}
      : { pixApiSimulatorUrl: url, ...(hasOwnAccount(settings, url) ? ownAccount(settings, keys, url) : undefined) },
  // Any Pix key belongs to the first client that uses it.
  members: (settings, keys, { control_url }) => {
    if (control_url === undefined) return {}
    const { client_id, client_secret } = demoClient(keys)
    return {
      pix_api: settings.pixApiSimulatorUrl ?? null,
      pix_api_control: control_url,
      pix_api_client_id: client_id,
      pix_api_client_secret: client_secret,
      pix_api_certificate: clientCertificatePath(settings),
      pix_api_certificate_password: certificatePassword,
      pix_api_pix_key: "pix@demo.test"
    }
  },
  begins: (keys, _urlOf, settings) => {
    const { pixApiSimulatorUrl: url } = settings
    const demo = demoClient(keys)
    if (url === undefined || !hasOwnAccount(settings, url)) return { accounts: [demo] }
    const own = ownAccount(settings, keys, url)
    const client_secret = Redacted.value(own.pixprov2PlatformApiKey)
    return { accounts: [demo, { client_id: own.pixprov2PlatformClientId, client_secret }] }
  }
}
