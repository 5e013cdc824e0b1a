import { globSync, readFileSync, statSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readSettings, readSome, settingsHelp } from "@carteiro/runtime/boot/Settings.ts"
import { settingsTable } from "@carteiro/runtime/boot/settings/SettingsTable.ts"
import { knownNames } from "@carteiro/runtime/boot/settings/UnknownNames.ts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted, Schema } from "effect"

type Env = Readonly<Record<string, string>>

const within = <A, E>(effect: Effect.Effect<A, E>, env: Env) =>
  Effect.provide(effect, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))
const read = (env: Env) => within(readSettings, env)
const refusal = (env: Env) => Effect.map(Effect.flip(read(env)), (error) => error.message)

const Delay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
const Delays = Schema.NonEmptyArray(Delay).check(Schema.isMaxLength(20))

const key = "ab".repeat(32)
const production: Env = {
  CARTEIRO_MODE: "production",
  CARTEIRO_PUBLIC_URL: "https://api.example.com/",
  CARTEIRO_MASTER_KEY: key,
  DATABASE_URL: "postgres://user:secret@db.internal/carteiro",
  CARTEIRO_SMTP_URL: "smtps://user:secret@mail.example.com",
  CARTEIRO_MAIL_FROM: "Carteiro <billing@example.com>"
}

/** The table of the boot contract: a first name, and the ends of those that share its first two words. */
const contract = [
  "PORT",
  "HOST",
  "CARTEIRO_ADMIN_PORT",
  "CARTEIRO_PUBLIC_URL",
  "CARTEIRO_TRUSTED_PROXIES",
  "DATABASE_URL",
  "CARTEIRO_DATA_DIR",
  "CARTEIRO_MODE",
  "CARTEIRO_MASTER_KEY",
  "CARTEIRO_ROLE",
  "CARTEIRO_PROCESSES",
  "CARTEIRO_READ_DATABASE_URL",
  "CARTEIRO_READ_DATABASE_LAG_MS",
  "CARTEIRO_RUNNER_HOST _PORT _LINK _TLS_CERT _TLS_KEY _TLS_CA",
  "CARTEIRO_WEBHOOK_TARGET_ALLOWLIST _RETRY_PRODUCTION _RETRY_SANDBOX",
  "CARTEIRO_RATE_LIMITS",
  "CARTEIRO_REQUEST_LOG",
  "CARTEIRO_SANDBOX_STATUS_DELAY_MS",
  "CARTEIRO_UPSTREAM_API_BASE_URL _API_VERSION _APP_ID _APP_SECRET _WEBHOOK_VERIFY_TOKEN _MESSAGING_PRODUCT",
  "CARTEIRO_UPSTREAM_RETURN_ORIGINS _SIGNUP_CONFIG_ID _SDK_URL",
  "CARTEIRO_NUMPROV_API_BASE_URL _API_KEY _WEBHOOK_SECRET _BYOK_ENABLED",
  "CARTEIRO_PIXPROV1_API_BASE_URL",
  "CARTEIRO_PIXPROV2_API_BASE_URL _PLATFORM_API_KEY _PLATFORM_WEBHOOK_SECRET",
  "CARTEIRO_CARDPROC_API_BASE_URL _API_KEY _WEBHOOK_SECRET",
  "CARTEIRO_SPEECHPROV1_API_BASE_URL _API_KEY",
  "CARTEIRO_SPEECHPROV2_API_BASE_URL _API_KEY",
  "CARTEIRO_SPEECHPROV3_API_BASE_URL _API_KEY",
  "CARTEIRO_BLOB_STORE _S3_ENDPOINT _S3_BUCKET _S3_REGION _S3_ACCESS_KEY _S3_SECRET_KEY",
  "CARTEIRO_SMTP_URL",
  "CARTEIRO_MAIL_FROM",
  "CARTEIRO_PROMOTION_CREDIT_BRL",
  "CARTEIRO_CHATAPP_INVITE_HOSTS",
  "CARTEIRO_PHONE_PROVISIONING_REQUIRE_BILLING_RECIPIENT",
  "CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED",
  "CARTEIRO_LOG",
  "CARTEIRO_LOG_PRETTY",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "CARTEIRO_TRACE_SAMPLE"
]

describe("Settings (Boot contract, Settings)", () => {
  it.effect("have the defaults of the boot contract", () =>
    Effect.gen(function* () {
      const settings = yield* read({})
      assert.deepInclude(settings, {
        port: 8080,
        host: "127.0.0.1",
        adminPort: 0,
        publicUrl: "http://127.0.0.1:8080",
        trustedProxies: [],
        databaseUrl: undefined,
        dataDir: ".carteiro",
        mode: "development",
        masterKeys: undefined,
        role: "all",
        processes: 1,
        readDatabaseUrl: undefined,
        readDatabaseLagMs: 5000,
        runnerHost: "127.0.0.1",
        runnerPort: 34431,
        sandboxStatusDelayMs: 500,
        log: "info",
        logPretty: false,
        otlpEndpoint: undefined
      })
      assert.deepStrictEqual([...settings.webhookTargetAllowlist], ["http://127.0.0.1:4020"])
      const second = 1000
      const hour = 3600 * second
      assert.deepStrictEqual(settings.webhookRetrySandbox, [0, 5 * second, 30 * second])
      assert.deepStrictEqual(settings.webhookRetryProduction, [
        0,
        5 * second,
        300 * second,
        1800 * second,
        2 * hour,
        5 * hour,
        10 * hour,
        10 * hour
      ])
    })
  )

  it.effect("show a whole onboarding in development, and in production only what is set M-CONN-35", () =>
    Effect.gen(function* () {
      const shown = (env: Env) =>
        Effect.map(read(env), ({ upstreamSdkUrl, upstreamSignupConfigId }) => [upstreamSignupConfigId, upstreamSdkUrl])
      assert.deepStrictEqual(yield* shown({}), ["409876543210001", "https://connect.chatapp.example/sdk.js"])
      assert.deepStrictEqual(yield* shown(production), [undefined, undefined])
      const own = { CARTEIRO_UPSTREAM_SIGNUP_CONFIG_ID: "7", CARTEIRO_UPSTREAM_SDK_URL: "https://sdk.example/a.js" }
      assert.deepStrictEqual(yield* shown({ ...production, ...own }), ["7", "https://sdk.example/a.js"])
    })
  )

  it.effect("keep requests as long as set by kind of environment, or not at all", () =>
    Effect.gen(function* () {
      const kept = (value: string) => Effect.map(read({ CARTEIRO_REQUEST_LOG: value }), ({ requestLog }) => requestLog)
      const sampling = { reads_per_second: 20, sample_one_of: 20, bodies: true }
      const standard = { sandbox: { days: 7, ...sampling }, production: { days: 30, ...sampling } }
      assert.deepStrictEqual(yield* kept("on"), standard)
      assert.strictEqual(yield* kept("off"), undefined)
      assert.deepStrictEqual(yield* kept('{"production":{"days":3,"bodies":false}}'), {
        ...standard,
        production: { ...sampling, days: 3, bodies: false }
      })
    })
  )

  it.effect("take the values of the environment, and treat an empty text as absent", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        PORT: "0",
        HOST: "",
        CARTEIRO_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: "",
        CARTEIRO_RATE_LIMITS: '{"key_write":{"key":"off"}}',
        CARTEIRO_MASTER_KEY: key
      })
      assert.strictEqual(settings.publicUrl, undefined)
      assert.strictEqual(settings.host, "127.0.0.1")
      assert.deepStrictEqual(settings.trustedProxies, ["10.0.0.0/8", "::1"])
      assert.strictEqual(settings.webhookTargetAllowlist.size, 0)
      assert.deepStrictEqual(Object.keys(settings.rates.table.key_write), ["organization"])
      assert.strictEqual(settings.masterKeys && Redacted.value(settings.masterKeys)[0].length, 32)
    })
  )

  it.effect("take one process a core for CARTEIRO_PROCESSES=auto, and need a runner port for each of several", () =>
    Effect.gen(function* () {
      const { processes } = yield* read({ CARTEIRO_PROCESSES: "auto" })
      assert.strictEqual(processes, Math.min(availableParallelism(), 64))
      const last = { CARTEIRO_PROCESSES: "8", CARTEIRO_RUNNER_PORT: "65528" }
      assert.strictEqual((yield* read(last)).processes, 8)
      const line = "CARTEIRO_RUNNER_PORT: expected at most 65528, as each of the 8 CARTEIRO_PROCESSES has a port"
      assert.strictEqual(yield* refusal({ ...last, CARTEIRO_RUNNER_PORT: "65529" }), line)
    })
  )

  const bad: ReadonlyArray<readonly [name: string, value: string, line: RegExp]> = [
    ["PORT", "http", /^PORT: expected a whole number from 0 to 65535, not "http"$/],
    ["CARTEIRO_ADMIN_PORT", "70000", /^CARTEIRO_ADMIN_PORT: expected a whole number/],
    ["CARTEIRO_PUBLIC_URL", "example.com", /^CARTEIRO_PUBLIC_URL: expected an absolute http or https URL/],
    ["CARTEIRO_TRUSTED_PROXIES", "10.0.0.0/33", /^CARTEIRO_TRUSTED_PROXIES: expected comma-separated IP addresses/],
    ["CARTEIRO_MODE", "prod", /^CARTEIRO_MODE: expected one of development, production, not "prod"$/],
    ["CARTEIRO_ROLE", "worker", /^CARTEIRO_ROLE: expected one of all, edge, shard/],
    ["CARTEIRO_PROCESSES", "0", /^CARTEIRO_PROCESSES: expected auto or a whole number from 1 to 64, not "0"$/],
    ["CARTEIRO_PROCESSES", "many", /^CARTEIRO_PROCESSES: expected auto or a whole number from 1 to 64, not "many"$/],
    ["CARTEIRO_READ_DATABASE_URL", "mysql://h/d", /^CARTEIRO_READ_DATABASE_URL: expected a URL such as postgres:/],
    ["CARTEIRO_READ_DATABASE_LAG_MS", "100", /^CARTEIRO_READ_DATABASE_LAG_MS: expected a whole number from 1500/],
    ["CARTEIRO_RUNNER_PORT", "-1", /^CARTEIRO_RUNNER_PORT: expected a whole number/],
    ["CARTEIRO_RUNNER_LINK", "yes", /^CARTEIRO_RUNNER_LINK: expected one of on, off, not "yes"$/],
    ["CARTEIRO_RUNNER_HOST", "10.0.0.7", /^CARTEIRO_RUNNER_HOST: expected a loopback address/],
    ["CARTEIRO_RUNNER_TLS_CERT", "/nowhere.pem", /^CARTEIRO_RUNNER_TLS_CERT: expected the path of an existing file/],
    ["CARTEIRO_RUNNER_TLS_CA", import.meta.filename, /^CARTEIRO_RUNNER_TLS_CERT: required with the other/],
    ["CARTEIRO_WEBHOOK_TARGET_ALLOWLIST", "localhost", /^CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: expected comma-separated/],
    ["CARTEIRO_WEBHOOK_RETRY_PRODUCTION", "0s,soon", /^CARTEIRO_WEBHOOK_RETRY_PRODUCTION: expected 1 to 20/],
    ["CARTEIRO_WEBHOOK_RETRY_SANDBOX", "5", /^CARTEIRO_WEBHOOK_RETRY_SANDBOX: expected 1 to 20 comma-separated delays/],
    ["CARTEIRO_REQUEST_LOG", "yes", /^CARTEIRO_REQUEST_LOG: expected `on`, `off`, or a JSON object/],
    ["CARTEIRO_REQUEST_LOG", '{"sandbox":{"days":0}}', /^CARTEIRO_REQUEST_LOG: expected `on`/],
    ["CARTEIRO_RATE_LIMITS", "none", /^CARTEIRO_RATE_LIMITS: expected `off`, or a JSON object/],
    ["CARTEIRO_SANDBOX_STATUS_DELAY_MS", "0.5", /^CARTEIRO_SANDBOX_STATUS_DELAY_MS: expected a whole number/],
    ["CARTEIRO_MAIL_FROM", "Carteiro", /^CARTEIRO_MAIL_FROM: expected an address such as/],
    ["CARTEIRO_SMTP_URL", "smtp://mail.example.com", /^CARTEIRO_MAIL_FROM: required with CARTEIRO_SMTP_URL/],
    ["CARTEIRO_LOG", "loud", /^CARTEIRO_LOG: expected one of fatal, error/],
    ["CARTEIRO_UPSTREAM_API_BASE_URL", "vendor", /^CARTEIRO_UPSTREAM_API_BASE_URL: expected an absolute http or https/],
    ["CARTEIRO_UPSTREAM_API_VERSION", "23", /^CARTEIRO_UPSTREAM_API_VERSION: expected a version such as v23\.0/],
    ["CARTEIRO_UPSTREAM_RETURN_ORIGINS", "app", /^CARTEIRO_UPSTREAM_RETURN_ORIGINS: expected comma-separated origins/],
    ["CARTEIRO_NUMPROV_BYOK_ENABLED", "yes", /^CARTEIRO_NUMPROV_BYOK_ENABLED: expected true or false/],
    ["CARTEIRO_CHATAPP_INVITE_HOSTS", "https://x", /^CARTEIRO_CHATAPP_INVITE_HOSTS: expected comma-separated host/],
    ["CARTEIRO_BLOB_STORE", "disk", /^CARTEIRO_BLOB_STORE: expected one of local, s3/],
    ["CARTEIRO_PROMOTION_CREDIT_BRL", "5,00", /^CARTEIRO_PROMOTION_CREDIT_BRL: expected an amount such as/],
    ["CARTEIRO_LOG_PRETTY", "yes", /^CARTEIRO_LOG_PRETTY: expected 0 or 1/],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", /^OTEL_EXPORTER_OTLP_ENDPOINT: expected an absolute/],
    ["CARTEIRO_TRACE_SAMPLE", "1.5", /^CARTEIRO_TRACE_SAMPLE: expected a share from 0 to 1 such as 0\.01, not "1\.5"$/]
  ]
  it.effect.each(bad)("refuse a bad %s in one line naming it and what it expects", ([name, value, line]) =>
    Effect.gen(function* () {
      const message = yield* refusal({ [name]: value })
      assert.match(message, line)
      assert.notInclude(message, "\n")
    })
  )

  it.effect("never show a secret in a refusal", () =>
    Effect.gen(function* () {
      assert.notInclude(yield* refusal({ CARTEIRO_MASTER_KEY: "hunter2" }), "hunter2")
      assert.notInclude(yield* refusal({ DATABASE_URL: "mysql://u:hunter2@h/d" }), "hunter2")
      assert.notInclude(yield* refusal({ CARTEIRO_READ_DATABASE_URL: "mysql://u:hunter2@h/d" }), "hunter2")
      assert.notInclude(yield* refusal({ CARTEIRO_SMTP_URL: "hunter2" }), "hunter2")
    })
  )

  it.effect("refuse production without what it needs, one variable at a time", () =>
    Effect.gen(function* () {
      const needed = [
        "CARTEIRO_PUBLIC_URL",
        "CARTEIRO_MASTER_KEY",
        "DATABASE_URL",
        "CARTEIRO_SMTP_URL",
        "CARTEIRO_MAIL_FROM"
      ]
      for (const name of needed) {
        const { [name]: _, ...rest } = production
        assert.match(yield* refusal(rest), new RegExp(`^${name}: required in production`))
      }
      const settings = yield* read(production)
      assert.strictEqual(settings.publicUrl, "https://api.example.com")
      assert.strictEqual(settings.webhookTargetAllowlist.size, 0)
    })
  )

  it.effect("refuse loosened settings in production", () =>
    Effect.gen(function* () {
      const loosened = { off: /^CARTEIRO_RATE_LIMITS: /, '{"key_write":{"key":"off"}}': /^CARTEIRO_RATE_LIMITS: / }
      for (const [value, line] of Object.entries(loosened)) {
        assert.match(yield* refusal({ ...production, CARTEIRO_RATE_LIMITS: value }), line)
      }
      const allowlist = { ...production, CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: "http://10.0.0.1:80" }
      assert.match(yield* refusal(allowlist), /^CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: expected to be empty in production/)
    })
  )

  it.effect("refuse a node of a cluster without the shared database and key", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal({ CARTEIRO_ROLE: "edge" }), /^DATABASE_URL: required when CARTEIRO_ROLE is edge/)
      const shard = { CARTEIRO_ROLE: "shard", DATABASE_URL: "postgres://h/d" }
      assert.match(yield* refusal(shard), /^CARTEIRO_MASTER_KEY: required when CARTEIRO_ROLE is shard/)
    })
  )

  it.effect("accept every name of the boot contract, also of rooms to come", () =>
    Effect.gen(function* () {
      const names = contract.flatMap((line) => {
        const [first = "", ...ends] = line.split(" ")
        return [first, ...ends.map((end) => `${first.slice(0, first.indexOf("_", "CARTEIRO_".length))}${end}`)]
      })
      for (const name of names) assert.isTrue(knownNames.has(name), name)
      assert.strictEqual(new Set(names).size, names.length)
      const settings = yield* read({
        CARTEIRO_UPSTREAM_API_BASE_URL: "http://127.0.0.1:9/",
        CARTEIRO_CARDPROC_API_KEY: "hunter2",
        CARTEIRO_UPSTREAM_RETURN_ORIGINS: "https://app.example.com",
        CARTEIRO_CHATAPP_INVITE_HOSTS: "chat.example.com, Links.example.com",
        CARTEIRO_NUMPROV_BYOK_ENABLED: "true",
        CARTEIRO_PROMOTION_CREDIT_BRL: "12.5000"
      })
      assert.deepInclude(settings, {
        upstreamApiBaseUrl: "http://127.0.0.1:9",
        upstreamApiVersion: "v23.0",
        chatappInviteHosts: ["chat.example.com", "links.example.com"],
        numprovByokEnabled: true,
        groupsUpstreamReportsEnabled: false,
        blobStore: "local",
        promotionCreditBrl: "12.5000"
      })
      assert.notInclude(JSON.stringify(settings), "hunter2")
    })
  )

  it.effect("refuse an unknown CARTEIRO_ name, with the nearest known one", () =>
    Effect.gen(function* () {
      const meant: ReadonlyArray<readonly [written: string, known: string]> = [
        ["LOGS", "CARTEIRO_LOG"],
        ["PORT", "PORT"],
        ["DATABSE_URL", "DATABASE_URL"],
        ["LOG_PRETTY_", "CARTEIRO_LOG_PRETTY"],
        ["RATE_LIMIT", "CARTEIRO_RATE_LIMITS"],
        ["WEBHOOK_SECRETS", "CARTEIRO_WEBHOOK_SECRET"],
        ["SPEECHPROV4_API_KEY", "CARTEIRO_SPEECHPROV1_API_KEY"]
      ]
      for (const [written, known] of meant) {
        const name = ["CARTEIRO", written].join("_")
        const line = `${name}: no setting has this name; did you mean ${known}? (npm start -- --help lists all)`
        assert.strictEqual(yield* refusal({ [name]: "1" }), line)
        assert.strictEqual((yield* Effect.flip(within(readSome("dataDir"), { [name]: "1" }))).message, line)
      }
      yield* read({ CARTEIRO: "1", CARTEIRO_WEBHOOK_SECRET: "whsec_x", CARTEIRO_SIMULATION_RUNS: "2", OTHER_NAME: "1" })
    })
  )

  it("know every CARTEIRO_ name that occurs in this repository", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url))
    const files = globSync("{runtime,schema,packages,test,docs,deploy,.ci}/**/*", {
      cwd: root,
      exclude: (path) => path.includes("node_modules") || path.startsWith("docs/requirements")
    })
    const unknown = [...files.filter((path) => statSync(join(root, path)).isFile()), "README.md"].flatMap((path) =>
      [...readFileSync(join(root, path), "latin1").matchAll(/\bCARTEIRO_[A-Z0-9_]*[A-Z0-9]\b/g)]
        .map(([name]) => name)
        .filter((name) => ![...knownNames].some((known) => known === name || known.startsWith(`${name}_`)))
        .map((name) => `${path}: ${name}`)
    )
    assert.deepStrictEqual(unknown, [])
  })

  it.effect("can be read in parts, without the requirements of the others", () =>
    Effect.gen(function* () {
      const { DATABASE_URL = "" } = production
      const some = yield* within(readSome("databaseUrl", "dataDir"), { CARTEIRO_MODE: "production", DATABASE_URL })
      assert.strictEqual(some.databaseUrl && Redacted.value(some.databaseUrl), DATABASE_URL)
    })
  )

  it.effect.prop("read every schedule that they write", [Delays], ([seconds]) =>
    Effect.gen(function* () {
      const text = seconds.map((delay) => `${delay}s`).join(",")
      const settings = yield* read({ CARTEIRO_WEBHOOK_RETRY_SANDBOX: text })
      assert.deepStrictEqual(
        settings.webhookRetrySandbox,
        seconds.map((delay) => delay * 1000)
      )
    })
  )

  it("are all listed by --help with their defaults", () => {
    const help = settingsHelp()
    for (const { name, standard } of Object.values(settingsTable)) {
      assert.include(help, `\n  ${name}\n`)
      assert.include(help, standard)
    }
  })
})
