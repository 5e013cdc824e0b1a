import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "./boot/EmbeddedPostgres.ts"
import { readSome } from "./boot/Settings.ts"
import { tellRefusal } from "./boot/StartRefused.ts"
import { migrate } from "./platform/sql/Migrations.ts"
import * as Sql from "./platform/sql/Sql.ts"

// `npm run migrate`: brings the schema at rest up to date and exits; the server does the same when it starts.
const program = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* readSome("dataDir", "databaseUrl")
  const url =
    databaseUrl === undefined
      ? (yield* EmbeddedPostgres.acquire({ dataDir, share: true })).url
      : Redacted.value(databaseUrl)
  const ran = yield* Effect.provide(
    migrate(),
    Sql.layer(url, { applicationName: "carteiro-migrate", maxConnections: 2 })
  )
  const line = ran.length === 0 ? "the database is up to date" : `applied ${ran.join(", ")}`
  yield* Effect.sync(() => process.stdout.write(`${line}\n`))
})

NodeRuntime.runMain(tellRefusal(Effect.scoped(program)))
