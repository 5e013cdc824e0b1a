import { parseAllowlist } from "@carteiro/outbound/Targets.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Result } from "effect"
import { rateLimitsExpected, readRateLimits } from "../../ratelimit/RateLimitsSetting.ts"
import { standardRates } from "../../ratelimit/RateTable.ts"
import { databaseSettings } from "./DatabaseSettings.ts"
import { driverSettings } from "./DriverSettings.ts"
import { providerSettings } from "./ProviderSettings.ts"
import * as Readers from "./Readers.ts"
import { readRequestLog, requestLogExpected } from "./RequestLogReader.ts"
import { optional, redacted, row, withDefault } from "./Rows.ts"

const localReceiver = "http://127.0.0.1:4020"
const allowlist = Readers.expecting("comma-separated origins such as http://127.0.0.1:4020", parseAllowlist)
const rates: Readers.Reader<ReturnType<typeof ratesOf>> = (text) =>
  Result.map(readRateLimits(text), (table) => ratesOf(text, table))
// A single limit that is off is a loosened setting like all of them.
const ratesOf = (text: string, table: typeof standardRates) => ({ table, loosened: /^\s*off\s*$|"off"/.test(text) })

/** Every setting of the process, by the name the code knows it under. Boot contract, Settings */
export const settingsTable = {
  port: withDefault("PORT", "8080", Readers.port, "port of the public HTTP listener; 0 takes any free one"),
  host: withDefault("HOST", "127.0.0.1", Readers.text, "address of the public HTTP listener"),
  adminPort: withDefault(
    "CARTEIRO_ADMIN_PORT",
    "0",
    Readers.port,
    "loopback port of metrics and detailed health; 0 takes any free one"
  ),
  publicUrl: optional(
    "CARTEIRO_PUBLIC_URL",
    "http://HOST:PORT",
    Readers.webUrl,
    "base of absolute URLs in bodies and links",
    {
      requiredInProduction: true
    }
  ),
  trustedProxies: withDefault(
    "CARTEIRO_TRUSTED_PROXIES",
    "",
    Readers.addresses,
    "addresses whose forwarding headers count, separated by commas"
  ),
  databaseUrl: optional(
    "DATABASE_URL",
    "the embedded PostgreSQL",
    redacted(Readers.databaseUrl),
    "PostgreSQL 15 or later; of several servers, the one that takes writes",
    {
      requiredInProduction: true,
      secret: true
    }
  ),
  ...databaseSettings,
  dataDir: withDefault(
    "CARTEIRO_DATA_DIR",
    ".carteiro",
    Readers.text,
    "folder of the embedded database, media bytes, dev.json and development secrets"
  ),
  mode: withDefault(
    "CARTEIRO_MODE",
    "development",
    Readers.oneOf("development", "production"),
    "production: no seed, no simulators, no dev.json, no loosened settings"
  ),
  masterKeys: optional(
    "CARTEIRO_MASTER_KEY",
    "generated in development",
    redacted(
      Readers.expecting(
        "32 bytes in hex or base64; after a rotation older keys follow, separated by commas",
        parseMasterKeys
      )
    ),
    "every other secret is derived from it",
    {
      requiredInProduction: true,
      secret: true
    }
  ),
  role: withDefault(
    "CARTEIRO_ROLE",
    "all",
    Readers.oneOf("all", "edge", "shard"),
    "all; edge: HTTP only; shard: owners only"
  ),
  processes: withDefault(
    "CARTEIRO_PROCESSES",
    "1",
    Readers.processes,
    "equal processes of this role on one port; auto: one a core"
  ),
  runnerHost: withDefault(
    "CARTEIRO_RUNNER_HOST",
    "127.0.0.1",
    Readers.text,
    "address other nodes reach this runner at"
  ),
  runnerPort: withDefault(
    "CARTEIRO_RUNNER_PORT",
    "34431",
    Readers.port,
    "port other nodes reach this runner at; process n of several listens at this port plus n"
  ),
  runnerLink: withDefault(
    "CARTEIRO_RUNNER_LINK",
    "on",
    Readers.oneOf("on", "off"),
    "links between nodes: off sends every call by the library's RPC"
  ),
  runnerTlsCert: optional(
    "CARTEIRO_RUNNER_TLS_CERT",
    "none",
    Readers.existingFile,
    "PEM file: certificate of this node, needed beyond loopback"
  ),
  runnerTlsKey: optional(
    "CARTEIRO_RUNNER_TLS_KEY",
    "none",
    Readers.existingFile,
    "PEM file: private key of that certificate"
  ),
  runnerTlsCa: optional(
    "CARTEIRO_RUNNER_TLS_CA",
    "none",
    Readers.existingFile,
    "PEM file: authority that signed the certificates of all nodes"
  ),
  webhookTargetAllowlist: row(
    "CARTEIRO_WEBHOOK_TARGET_ALLOWLIST",
    "origins exempt from the https and private-address rules, separated by commas",
    `${localReceiver}; empty in production`,
    allowlist,
    (production): ReadonlySet<string> => new Set(production ? [] : [localReceiver]),
    { emptyCounts: true }
  ),
  webhookRetryProduction: withDefault(
    "CARTEIRO_WEBHOOK_RETRY_PRODUCTION",
    "0s,5s,5m,30m,2h,5h,10h,10h",
    Readers.delays,
    "delay before each automatic attempt of a production delivery"
  ),
  webhookRetrySandbox: withDefault(
    "CARTEIRO_WEBHOOK_RETRY_SANDBOX",
    "0s,5s,30s",
    Readers.delays,
    "delay before each automatic attempt of a sandbox delivery"
  ),
  outboundSockets: withDefault(
    "CARTEIRO_OUTBOUND_SOCKETS",
    "1024",
    Readers.wholeNumber(8, 65_535),
    "calls to receivers and providers under way at once; one destination may hold half of them"
  ),
  outboundBytes: withDefault(
    "CARTEIRO_OUTBOUND_BYTES",
    "268435456",
    Readers.wholeNumber(8_388_608, 68_719_476_736),
    "bytes of the bodies held in memory for those calls"
  ),
  requestBodyBytes: withDefault(
    "CARTEIRO_REQUEST_BODY_BYTES",
    "134217728",
    Readers.wholeNumber(33_554_432, 68_719_476_736),
    "bytes of large request bodies held in memory; one environment or source address may hold half of them"
  ),
  callsInFlight: withDefault(
    "CARTEIRO_CALLS_IN_FLIGHT",
    "4096",
    Readers.wholeNumber(16, 1_000_000),
    "requests worked on at once, long polls left out; beyond them callers get 503"
  ),
  rates: row("CARTEIRO_RATE_LIMITS", rateLimitsExpected, "the numbers of the contract", rates, () => ({
    table: standardRates,
    loosened: false
  })),
  requestLog: withDefault("CARTEIRO_REQUEST_LOG", "on", readRequestLog, requestLogExpected),
  sandboxStatusDelayMs: withDefault(
    "CARTEIRO_SANDBOX_STATUS_DELAY_MS",
    "500",
    Readers.wholeNumber(0, hourMs),
    "unit of the sandbox's simulated status timing, in milliseconds"
  ),
  log: withDefault(
    "CARTEIRO_LOG",
    "info",
    Readers.oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    "least level that is logged"
  ),
  logPretty: row(
    "CARTEIRO_LOG_PRETTY",
    "1: logs for people instead of JSON",
    "1 when they go to a terminal, else 0",
    Readers.flag,
    () => process.stderr.isTTY === true
  ),
  otlpEndpoint: optional("OTEL_EXPORTER_OTLP_ENDPOINT", "none", Readers.webUrl, "where traces, logs and metrics go"),
  traceSample: withDefault(
    "CARTEIRO_TRACE_SAMPLE",
    "0.01",
    Readers.share,
    "share of traces that are sampled, from 0 to 1; callers have no say in it"
  ),
  ...driverSettings,
  ...providerSettings
}
