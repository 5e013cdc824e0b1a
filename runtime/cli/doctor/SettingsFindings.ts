import type { SettingsValues } from "../../boot/Settings.ts"
import { assumedBridgeWords } from "../../boot/settings/DriverSettings.ts"
import { cardprocFindings } from "./CardprocFindings.ts"
import { attention, type Judgement, well, wrong } from "./Finding.ts"

/** Settings that a vendor needs once another is set, and what does not work without. */
const halves = [
  [
    "upstreamApiBaseUrl",
    "upstreamAppId",
    "CARTEIRO_UPSTREAM_APP_ID",
    "no account of the chat provider can be connected"
  ],
  [
    "upstreamApiBaseUrl",
    "upstreamAppSecret",
    "CARTEIRO_UPSTREAM_APP_SECRET",
    "reports of the chat provider cannot be verified and are refused"
  ],
  [
    "upstreamApiBaseUrl",
    "upstreamWebhookVerifyToken",
    "CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN",
    "the chat provider cannot subscribe to this installation"
  ],
  ["numprovApiBaseUrl", "numprovApiKey", "CARTEIRO_NUMPROV_API_KEY", "no number can be ordered"],
  [
    "numprovApiBaseUrl",
    "numprovWebhookSecret",
    "CARTEIRO_NUMPROV_WEBHOOK_SECRET",
    "verification codes of new numbers are refused"
  ],
  ["cardprocApiBaseUrl", "cardprocApiKey", "CARTEIRO_CARDPROC_API_KEY", "no card can be charged"],
  [
    "cardprocApiBaseUrl",
    "cardprocWebhookSecret",
    "CARTEIRO_CARDPROC_WEBHOOK_SECRET",
    "reports of the card processor are refused"
  ],
  [
    "pixprov2PlatformApiKey",
    "pixprov2PlatformWebhookSecret",
    "CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET",
    "reports of paid top-ups are refused"
  ]
] as const

/** Returns what the driver of the service's own Pix account lacks. */
const pixFindings = (values: SettingsValues): ReadonlyArray<Judgement> => {
  if (values.pixprov2PlatformApiKey === undefined) return []
  const missing =
    values.pixprov2Driver === "mercadopago"
      ? ([["pixprov2PlatformPayerEmail", "CARTEIRO_PIXPROV2_PLATFORM_PAYER_EMAIL"]] as const)
      : values.pixprov2Driver === "pix-api"
        ? ([
            ["pixprov2PlatformClientId", "CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID"],
            ["pixprov2PlatformCertificate", "CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE"],
            ["pixprov2PlatformPixKey", "CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY"]
          ] as const)
        : []
  return missing.flatMap(([setting, name]) =>
    values[setting] === undefined
      ? [
          wrong(
            `${name} is not set: no plan and no top-up can be paid by Pix.`,
            `Set ${name} on every node, and restart them one after the other.`
          )
        ]
      : []
  )
}

/** Returns what settings that a node would start with still lack. They are right by themselves: `readSettings` has read them. */
export const settingsFindings = (values: SettingsValues): ReadonlyArray<Judgement> => {
  const { adminPort, host, mode, role, trustedProxies } = values
  const problems: Array<Judgement> = halves.flatMap(([set, needed, name, without]) =>
    values[set] !== undefined && values[needed] === undefined
      ? [wrong(`${name} is not set: ${without}.`, `Set ${name} on every node, and restart them one after the other.`)]
      : []
  )
  for (const role of values.assumedBridges) {
    const { finding, remedy } = assumedBridgeWords(role)
    problems.push(attention(finding, remedy))
  }
  problems.push(...upstreamFindings(values), ...cardprocFindings(values), ...pixFindings(values))
  if (mode === "production" && role !== "shard" && /^(127\.|::1$|localhost$)/.test(host) && isEmpty(trustedProxies)) {
    problems.push(
      attention(
        `HOST is ${host}, so a proxy stands in front, and CARTEIRO_TRUSTED_PROXIES names none: all callers share the limits of one address.`,
        "Set CARTEIRO_TRUSTED_PROXIES to the proxy's address as this node sees it."
      )
    )
  }
  if (mode === "production" && adminPort === 0) {
    problems.push(
      attention(
        "CARTEIRO_ADMIN_PORT is 0: metrics are at another port after each start.",
        "Set CARTEIRO_ADMIN_PORT to a fixed port, such as 9090, and scrape that."
      )
    )
  }
  return [well(`The settings are complete: ${mode}, role ${role}, ${processes(values.processes)}.`), ...problems]
}

/** The chat provider's public API: only its own product word is taken there. */
const publicUpstream = /(^|\.)graph\.facebook\.com$/

/** Returns what is wrong with the chat provider's settings, which each of them alone does not show. U-CON-01 U-SND-01 */
const upstreamFindings = ({
  mode,
  upstreamApiBaseUrl,
  upstreamAppSecret,
  upstreamMessagingProduct
}: SettingsValues): ReadonlyArray<Judgement> => {
  if (upstreamApiBaseUrl === undefined) {
    const others = upstreamAppSecret === undefined ? [] : ["CARTEIRO_UPSTREAM_APP_SECRET"]
    return others.map((name) =>
      wrong(
        `${name} is set and CARTEIRO_UPSTREAM_API_BASE_URL is not: nothing is sent to the chat provider.`,
        "Set CARTEIRO_UPSTREAM_API_BASE_URL, such as https://graph.facebook.com."
      )
    )
  }
  const { hostname, pathname } = new URL(upstreamApiBaseUrl)
  const isPublic = publicUpstream.test(hostname)
  const problems: Array<Judgement> = []
  if (isPublic && upstreamMessagingProduct !== "whatsapp") {
    problems.push(
      wrong(
        `CARTEIRO_UPSTREAM_MESSAGING_PRODUCT is ${upstreamMessagingProduct}: the chat provider refuses every send.`,
        "Remove the setting, or set it to whatsapp."
      )
    )
  }
  if (/^\/+v\d/.test(pathname)) {
    problems.push(
      wrong(
        `CARTEIRO_UPSTREAM_API_BASE_URL ends in a version (${pathname}): each call would name two.`,
        "Remove it from the address; CARTEIRO_UPSTREAM_API_VERSION has the version."
      )
    )
  }
  if (mode === "production" && /(^|\.)facebook\.com$/.test(hostname) && !isPublic) {
    problems.push(
      wrong(
        `CARTEIRO_UPSTREAM_API_BASE_URL names ${hostname}, which serves pages and no API.`,
        "Set it to https://graph.facebook.com."
      )
    )
  }
  return problems
}

const processes = (count: number): string => (count === 1 ? "one process" : `${count} processes`)

const isEmpty = (list: SettingsValues["trustedProxies"]): boolean => list.length === 0
