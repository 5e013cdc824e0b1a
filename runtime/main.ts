import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider, Effect, Exit, Layer, Redacted } from "effect"
import { nodeLayer } from "./app/Node.ts"
import * as EmbeddedPostgres from "./boot/EmbeddedPostgres.ts"
import { masterKeys } from "./boot/MasterKey.ts"
import { readSettings, type SettingsValues, settingsHelp } from "./boot/Settings.ts"
import { tellRefusal } from "./boot/StartRefused.ts"
import packageJson from "./package.json" with { type: "json" }
import { readRunnerTls } from "./platform/owner/cluster/RunnerTls.ts"
import { migrate } from "./platform/sql/Migrations.ts"
import * as Sql from "./platform/sql/Sql.ts"
import * as Telemetry from "./platform/telemetry/Telemetry.ts"

// `npm start`: one process in the role that the settings name. Boot contract

const longestStopMs = 14_000
const { version } = packageJson

/** Where this process connects, and what others on this machine would write. */
const database = Effect.fnUntraced(function* (settings: SettingsValues) {
  if (settings.databaseUrl !== undefined) {
    const url = Redacted.value(settings.databaseUrl)
    return { url, shown: url }
  }
  const embedded = yield* EmbeddedPostgres.acquire({ dataDir: settings.dataDir })
  return { url: embedded.socketUrl ?? embedded.url, shown: embedded.url }
})

/** Everything the node is, built in the order of its dependencies and taken down in the opposite one. */
const serve = Effect.fnUntraced(function* (settings: SettingsValues) {
  const keys = yield* masterKeys(settings)
  const { url, shown } = yield* database(settings)
  yield* Effect.provide(migrate(), Sql.layer(url, { applicationName: "carteiro-migrate", maxConnections: 1 }))
  const tls = yield* readRunnerTls({
    cert: settings.runnerTlsCert,
    key: settings.runnerTlsKey,
    ca: settings.runnerTlsCa
  })
  yield* Layer.build(nodeLayer({ settings, databaseUrl: url, shownDatabaseUrl: shown, keys, tls }))
  return yield* Effect.never
})

const program = Effect.gen(function* () {
  const settings = yield* readSettings
  const telemetry = Telemetry.layer({
    level: settings.log,
    pretty: settings.logPretty,
    base: { role: settings.role },
    otlpEndpoint: settings.otlpEndpoint,
    version
  })
  return yield* Effect.provide(Effect.scoped(serve(settings)), telemetry)
}).pipe(Effect.provide(ConfigProvider.layer(Effect.sync(() => ConfigProvider.fromEnv({ preserveEmptyStrings: true })))))

if (process.argv.includes("--help")) {
  process.stdout.write(settingsHelp())
} else {
  // Owners and the database are given what is left of the 15 seconds; a stop that hangs must not outlive them.
  const limitStop = () => setTimeout(() => process.exit(0), longestStopMs).unref()
  process.once("SIGTERM", limitStop)
  process.once("SIGINT", limitStop)
  NodeRuntime.runMain(tellRefusal(program), {
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? 1 : 0)
  })
}
