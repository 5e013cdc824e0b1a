import { isIP } from "node:net"
import { Config, Effect, Option, Result } from "effect"
import { StartRefused } from "./StartRefused.ts"
import { type AssumedBridge, driverSettings, driversByAddress } from "./settings/DriverSettings.ts"
import type { Setting } from "./settings/Rows.ts"
import { settingsTable } from "./settings/SettingsTable.ts"
import { refuseUnknownNames } from "./settings/UnknownNames.ts"

type Table = typeof settingsTable

/**
 * The values of the table of settings: each is its default or the value of the environment. `publicUrl` is absent only while PORT is 0,
 * when the listener knows it; `databaseUrl` only when the embedded PostgreSQL serves; `masterKeys` only in development
 * (see `MasterKey.ts`). `assumedBridges` are the roles that speak the bridge because an address is set without a
 * driver. Boot contract, Settings
 */
export type SettingsValues = { readonly [Key in keyof Table]: Table[Key] extends Setting<infer A> ? A : never } & {
  readonly assumedBridges: ReadonlyArray<AssumedBridge>
}

/** Refuses Windows itself: signals, process groups and sockets of files work otherwise there. */
const refuseWindows = Effect.suspend(() =>
  process.platform === "win32"
    ? new StartRefused({ message: "Carteiro does not run on Windows itself; run it inside WSL (wsl --install)" })
    : Effect.void
)

/**
 * Reads single settings, checked one by one: for commands that need few, such as `npm run migrate`. A name that nobody
 * knows is refused all the same.
 */
export const readSome = Effect.fnUntraced(function* <Key extends keyof Table>(...keys: ReadonlyArray<Key>) {
  yield* refuseWindows
  yield* refuseUnknownNames
  const production = (yield* readOne(settingsTable.mode, false)) === "production"
  const values: Partial<Record<keyof Table, unknown>> = {}
  for (const key of keys) values[key] = yield* readOne<unknown>(settingsTable[key], production)
  return values as Pick<SettingsValues, Key>
})

/** Reads and checks all of them; fails with the one line that stops the start. */
export const readSettings: Effect.Effect<SettingsValues, StartRefused> = Effect.gen(function* () {
  const read = yield* readSome(...(Object.keys(settingsTable) as ReadonlyArray<keyof Table>))
  const { assumedBridges, drivers } = driversByAddress(read, yield* namedDrivers)
  const values = { ...read, ...drivers, assumedBridges }
  for (const [name, problem] of contradictions(values)) {
    return yield* new StartRefused({ message: `${name}: ${problem}` })
  }
  return { ...values, publicUrl: values.publicUrl ?? ownUrl(values.host, values.port) }
})

/** The text of `npm start -- --help`. */
export const settingsHelp = (): string => {
  const rows = Object.values(settingsTable).map((setting: Setting<unknown>) => {
    const required = setting.requiredInProduction ? "; required in production" : ""
    return `  ${setting.name}\n      ${setting.about}\n      default: ${setting.standard || "none"}${required}\n`
  })
  return `Usage: npm start [-- --help]\n\nSettings, read from the environment:\n\n${rows.join("")}`
}

/** `http://HOST:PORT` as a client on this machine would write it; undefined for port 0. */
const ownUrl = (host: string, port: number): string | undefined => {
  if (port === 0) return undefined
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`
}

/** True for addresses that never leave the machine. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host)

/** Returns the text of a variable; undefined for one that is not set. */
const textOf = ({ emptyCounts, name }: Setting<unknown>): Effect.Effect<string | undefined> =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (found) => {
    const text = Option.getOrUndefined(found)
    return text?.trim() === "" && !emptyCounts ? undefined : text
  })

const namedDrivers: Effect.Effect<ReadonlySet<string>> = Effect.map(
  Effect.filter(Object.values(driverSettings), (setting) => Effect.map(textOf(setting), (text) => text !== undefined)),
  (settings) => new Set(settings.map(({ name }) => name))
)

const readOne = <A>(setting: Setting<A>, production: boolean): Effect.Effect<A, StartRefused> =>
  Effect.gen(function* () {
    const text = yield* textOf(setting)
    if (text === undefined) {
      if (!production || !setting.requiredInProduction) return setting.absent(production)
      return yield* new StartRefused({ message: `${setting.name}: required in production (${setting.about})` })
    }
    const value = setting.read(text.trim())
    if (Result.isSuccess(value)) return value.success
    const shown = setting.secret ? "" : `, not "${shorten(text)}"`
    return yield* new StartRefused({ message: `${setting.name}: ${value.failure}${shown}` })
  })

/** Yields settings that are right by themselves and wrong together: the variable to change, and why. */
const contradictions = function* (values: SettingsValues): Generator<readonly [name: string, problem: string]> {
  const production = values.mode === "production"
  if (production && values.rates.loosened) yield ["CARTEIRO_RATE_LIMITS", "expected no limit to be off in production"]
  if (production && values.webhookTargetAllowlist.size > 0) {
    yield ["CARTEIRO_WEBHOOK_TARGET_ALLOWLIST", "expected to be empty in production"]
  }
  if (production && values.pixApiSimulatorUrl !== undefined) {
    yield ["CARTEIRO_PIX_API_SIMULATOR_URL", "expected to be unset in production"]
  }
  if (values.smtpUrl !== undefined && values.mailFrom === undefined) {
    yield ["CARTEIRO_MAIL_FROM", "required with CARTEIRO_SMTP_URL"]
  }
  if (values.blobStore === "s3") {
    const why = "required when CARTEIRO_BLOB_STORE is s3"
    if (values.blobS3Bucket === undefined) yield ["CARTEIRO_BLOB_S3_BUCKET", why]
    if (values.blobS3AccessKey === undefined) yield ["CARTEIRO_BLOB_S3_ACCESS_KEY", why]
    if (values.blobS3SecretKey === undefined) yield ["CARTEIRO_BLOB_S3_SECRET_KEY", why]
  } else if (production && values.role !== "all") {
    yield [
      "CARTEIRO_BLOB_STORE",
      `expected s3 when CARTEIRO_ROLE is ${values.role}: all nodes share the bytes of files`
    ]
  }
  if (values.role !== "all") {
    const why = `required when CARTEIRO_ROLE is ${values.role}: all nodes share one`
    if (values.databaseUrl === undefined) yield ["DATABASE_URL", why]
    if (values.masterKeys === undefined) yield ["CARTEIRO_MASTER_KEY", why]
  }
  const highestPort = 65_536 - values.processes
  if (values.role !== "edge" && values.processes > 1 && values.runnerPort > highestPort) {
    const why = `as each of the ${values.processes} CARTEIRO_PROCESSES has a port`
    yield ["CARTEIRO_RUNNER_PORT", `expected at most ${highestPort}, ${why}`]
  }
  const tls = Object.entries({
    CARTEIRO_RUNNER_TLS_CERT: values.runnerTlsCert,
    CARTEIRO_RUNNER_TLS_KEY: values.runnerTlsKey,
    CARTEIRO_RUNNER_TLS_CA: values.runnerTlsCa
  })
  const missing = tls.find(([, path]) => path === undefined)?.[0]
  if (missing === undefined) return
  if (tls.some(([, path]) => path !== undefined)) yield [missing, "required with the other CARTEIRO_RUNNER_TLS_ files"]
  if (values.role !== "edge" && !isLoopback(values.runnerHost)) {
    yield ["CARTEIRO_RUNNER_HOST", "expected a loopback address, as no CARTEIRO_RUNNER_TLS_ certificates are set"]
  }
}

/** A refused value as it may be shown: the password of an address is left out. */
const shorten = (text: string): string => {
  const shown = text.replaceAll(/(\/\/[^\s/:@]*):[^\s/]*@/g, "$1:…@")
  return shown.length <= 80 ? shown : `${shown.slice(0, 80)}…`
}
