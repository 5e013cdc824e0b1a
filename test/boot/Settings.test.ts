import { readSettings, readSome, settingsHelp } from "@carteiro/runtime/boot/Settings.ts"
import { settingsTable } from "@carteiro/runtime/boot/settings/SettingsTable.ts"
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
  DATABASE_URL: "postgres://user:secret@db.internal/carteiro"
}

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

  it.effect("take what the environment says, and treat an empty text as absent", () =>
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

  const bad: ReadonlyArray<readonly [name: string, value: string, line: RegExp]> = [
    ["PORT", "http", /^PORT: expected a whole number from 0 to 65535, not "http"$/],
    ["CARTEIRO_ADMIN_PORT", "70000", /^CARTEIRO_ADMIN_PORT: expected a whole number/],
    ["CARTEIRO_PUBLIC_URL", "example.com", /^CARTEIRO_PUBLIC_URL: expected an absolute http or https URL/],
    ["CARTEIRO_TRUSTED_PROXIES", "10.0.0.0/33", /^CARTEIRO_TRUSTED_PROXIES: expected comma-separated IP addresses/],
    ["CARTEIRO_MODE", "prod", /^CARTEIRO_MODE: expected one of development, production, not "prod"$/],
    ["CARTEIRO_ROLE", "worker", /^CARTEIRO_ROLE: expected one of all, edge, shard/],
    ["CARTEIRO_RUNNER_PORT", "-1", /^CARTEIRO_RUNNER_PORT: expected a whole number/],
    ["CARTEIRO_RUNNER_HOST", "10.0.0.7", /^CARTEIRO_RUNNER_HOST: expected a loopback address/],
    ["CARTEIRO_RUNNER_TLS_CERT", "/nowhere.pem", /^CARTEIRO_RUNNER_TLS_CERT: expected the path of an existing file/],
    ["CARTEIRO_RUNNER_TLS_CA", import.meta.filename, /^CARTEIRO_RUNNER_TLS_CERT: required with the other/],
    ["CARTEIRO_WEBHOOK_TARGET_ALLOWLIST", "localhost", /^CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: expected comma-separated/],
    ["CARTEIRO_WEBHOOK_RETRY_PRODUCTION", "0s,soon", /^CARTEIRO_WEBHOOK_RETRY_PRODUCTION: expected 1 to 20/],
    ["CARTEIRO_WEBHOOK_RETRY_SANDBOX", "5", /^CARTEIRO_WEBHOOK_RETRY_SANDBOX: expected 1 to 20 comma-separated delays/],
    ["CARTEIRO_RATE_LIMITS", "none", /^CARTEIRO_RATE_LIMITS: expected `off`, or a JSON object/],
    ["CARTEIRO_SANDBOX_STATUS_DELAY_MS", "0.5", /^CARTEIRO_SANDBOX_STATUS_DELAY_MS: expected a whole number/],
    ["CARTEIRO_LOG", "loud", /^CARTEIRO_LOG: expected one of fatal, error/],
    ["CARTEIRO_LOG_PRETTY", "yes", /^CARTEIRO_LOG_PRETTY: expected 0 or 1/],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", /^OTEL_EXPORTER_OTLP_ENDPOINT: expected an absolute/]
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
    })
  )

  it.effect("refuse production without what it needs, one variable at a time", () =>
    Effect.gen(function* () {
      for (const name of ["CARTEIRO_PUBLIC_URL", "CARTEIRO_MASTER_KEY", "DATABASE_URL"]) {
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

  it.effect("refuse a node of a cluster without the database and key all nodes share", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal({ CARTEIRO_ROLE: "edge" }), /^DATABASE_URL: required when CARTEIRO_ROLE is edge/)
      const shard = { CARTEIRO_ROLE: "shard", DATABASE_URL: "postgres://h/d" }
      assert.match(yield* refusal(shard), /^CARTEIRO_MASTER_KEY: required when CARTEIRO_ROLE is shard/)
    })
  )

  it.effect("can be read a few at a time, without the needs of the others", () =>
    Effect.gen(function* () {
      const { DATABASE_URL = "" } = production
      const some = yield* within(readSome("databaseUrl", "dataDir"), { CARTEIRO_MODE: "production", DATABASE_URL })
      assert.strictEqual(some.databaseUrl && Redacted.value(some.databaseUrl), DATABASE_URL)
    })
  )

  it.effect.prop("read any schedule they can write", [Delays], ([seconds]) =>
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
