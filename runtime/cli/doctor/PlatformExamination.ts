import { existsSync } from "node:fs"
import { join } from "node:path"
import { type PlatformCredentials, UpstreamCredentials } from "@carteiro/provider/ChatCredentials.ts"
import { type ChatPlatform, UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Clock, Effect, Layer, Redacted } from "effect"
import { adapters } from "../../app/Adapters.ts"
import { shakeHands } from "../../app/Handshake.ts"
import { openDatabase, tellDatabase } from "../../boot/Database.ts"
import { type DevFile, readDevFile } from "../../boot/DevFile.ts"
import { masterKeys } from "../../boot/MasterKey.ts"
import { readSettings, readSome, type SettingsValues } from "../../boot/Settings.ts"
import { besideSimulators } from "../../boot/simulators/Simulators.ts"
import { type InstallationAccount, InstallationAccounts } from "../../provider-connections/Operator.ts"
import { attention, type Finding, type Judgement, unknown, well, wrong } from "./Finding.ts"
import { appFinding, webhookFinding } from "./PlatformFindings.ts"
import { lookAtAccount } from "./PlatformLook.ts"
import { checked } from "./Probe.ts"
import { settingsFindings } from "./SettingsFindings.ts"

/** The most accounts that one look takes, and how many at a time. */
const mostAccounts = 20
const atOnce = 4
/** No account is begun later than this after the first, in milliseconds. */
const patienceMs = 120_000

/**
 * Makes the calls that prove a connection to the chat platform, and changes nothing there or here: app, webhook
 * address, and of each account token, subscription, state, numbers and templates. `only` names one account of the
 * platform; else the newest 20 connections are looked at. Each check has ten seconds, and all together three minutes.
 */
export const examinePlatform = (only?: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { keys, publicUrl, settings } = yield* readInstallation
    const { upstreamApiBaseUrl, upstreamAppId, upstreamAppSecret } = settings
    const complete = settingsFindings(settings).filter(({ status }) => status === "wrong")
    const first = complete.map((one): Finding => ({ check: "settings", ...one }))
    if (upstreamApiBaseUrl === undefined || upstreamAppId === undefined || upstreamAppSecret === undefined) {
      return first.length > 0 ? first : [{ check: "settings", ...notSet }]
    }
    const stands = Layer.mergeAll(
      adapters(settings),
      InstallationAccounts.layer.pipe(Layer.provide(Secrets.layer(keys)))
    )
    const look = Effect.provide(lookAtPlatform(settings, publicUrl, only), stands)
    const database = yield* openDatabase(settings, true)
    const connection = Sql.layer(database.url, {
      applicationName: "carteiro-doctor",
      maxConnections: 1,
      limits: servingLimits,
      readOnly: true
    })
    const findings = yield* tellDatabase(database, Effect.provide(look, connection))
    return [...first, ...findings]
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => {
      const [problem] = cause.reasons
      const message = problem?._tag === "Fail" ? problem.error.message : "The installation could not be looked at."
      return Effect.succeed([
        { check: "settings", ...wrong(message, "Mend it (carteiro-operator doctor tells more), and look again.") }
      ])
    })
  )

const notSet = wrong(
  "CARTEIRO_UPSTREAM_API_BASE_URL is not set, and no simulator runs: there is no platform to look at.",
  "Set it to https://graph.facebook.com, with the app's id, secret and verify token (docs/going-live.md)."
)

/** Reads settings, master keys and public address as a node has them, beside simulators in development. */
const readInstallation = Effect.gen(function* () {
  const named = yield* readSettings
  const running = named.mode === "development" ? yield* readDevFile(named.dataDir) : undefined
  const hasKeys = named.masterKeys !== undefined || existsSync(join(named.dataDir, "master.key"))
  // A look makes no key: without the installation's own, no credential can be opened.
  if (!hasKeys) return yield* Effect.fail(new Error(`There is no master key in ${named.dataDir}.`))
  const keys = yield* masterKeys(named)
  const settings = running === undefined ? named : besideSimulators(named, keys, running.simulators)
  return { keys, settings, publicUrl: yield* publicUrlOf(settings, running) }
})

const publicUrlOf = (settings: SettingsValues, running: DevFile | undefined) =>
  Effect.map(readSome("publicUrl"), ({ publicUrl }) => publicUrl ?? running?.base_url ?? settings.publicUrl)

const lookAtPlatform = Effect.fnUntraced(function* (
  settings: SettingsValues,
  publicUrl: string | undefined,
  only: string | undefined
) {
  const accounts = yield* (yield* InstallationAccounts).newest(mostAccounts + 1, only)
  const platform = yield* UpstreamPlatform
  const credentials = yield* UpstreamCredentials
  if (platform === undefined || credentials === undefined) return [{ check: "settings", ...notSet }]
  const general = yield* Effect.all(
    [
      checked(
        "app",
        Effect.map(credentials.app, (call) => [appFinding(credentials.appId, call)])
      ),
      checked(
        "webhook",
        Effect.map(lookAtWebhook(settings, publicUrl), (finding) => [finding])
      )
    ],
    { concurrency: "unbounded" }
  )
  const found = yield* lookAtAccounts({ platform, credentials }, accounts.slice(0, mostAccounts))
  const counted: Finding = { check: "accounts", ...countOf(accounts.length, only) }
  const secrets = [
    settings.upstreamAppSecret,
    settings.upstreamAppSecretSecond,
    settings.upstreamWebhookVerifyToken,
    ...accounts.map(({ token }) => token)
  ].flatMap((secret) => (secret === undefined ? [] : Redacted.value(secret)))
  return [...general.flat(), counted, ...found].map((finding) => withoutSecrets(finding, secrets))
})

const lookAtAccounts = Effect.fnUntraced(function* (
  ports: { readonly platform: ChatPlatform; readonly credentials: PlatformCredentials },
  accounts: ReadonlyArray<InstallationAccount>
) {
  const began = yield* Clock.currentTimeMillis
  const look = (account: InstallationAccount) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - began < patienceMs ? lookAtAccount(ports, account, now) : Effect.succeed([leftOut(account)])
    )
  return (yield* Effect.forEach(accounts, look, { concurrency: atOnce })).flat()
})

const leftOut = ({ biz_account_id, id }: InstallationAccount): Finding => ({
  check: "account",
  ...unknown(
    `Account ${biz_account_id ?? "without id"} (${id}) was not looked at: two minutes were over.`,
    "Name it with --account."
  )
})

const countOf = (count: number, only: string | undefined): Judgement => {
  if (count === 0) {
    return only === undefined
      ? attention("No account is connected yet.", "Connect one (docs/going-live.md).")
      : wrong(
          `No production environment has connected the account ${only}.`,
          "See connections list of the environment."
        )
  }
  return count > mostAccounts
    ? attention(
        `There are more than ${mostAccounts} connections: the newest ${mostAccounts} were looked at.`,
        "Name one with --account."
      )
    : well(`${count} ${count === 1 ? "connection was" : "connections were"} looked at.`)
}

const lookAtWebhook = (settings: SettingsValues, publicUrl: string | undefined): Effect.Effect<Judgement> => {
  const { mode, upstreamWebhookVerifyToken } = settings
  if (publicUrl === undefined || upstreamWebhookVerifyToken === undefined) {
    return Effect.succeed(
      wrong(
        "CARTEIRO_PUBLIC_URL or CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN is not set: the platform cannot subscribe.",
        "Set both on every node."
      )
    )
  }
  const address = `${publicUrl.replace(/\/+$/, "")}/webhooks/upstream`
  if (mode === "production" && !address.startsWith("https:")) {
    return Effect.succeed(
      wrong(
        `The webhook address ${address} is not https: the platform calls no other.`,
        "Set CARTEIRO_PUBLIC_URL to an https address."
      )
    )
  }
  return Effect.map(shakeHands(settings, address, upstreamWebhookVerifyToken), (answer) =>
    webhookFinding(address, answer)
  )
}

/** Returns a finding without the values of secrets, which the platform's own words may repeat. */
export const withoutSecrets = (finding: Finding, secrets: ReadonlyArray<string>): Finding => {
  const hide = (text: string) =>
    secrets.reduce((left, secret) => (secret === "" ? left : left.replaceAll(secret, "[secret]")), text)
  return { ...finding, found: hide(finding.found), remedy: finding.remedy === null ? null : hide(finding.remedy) }
}
