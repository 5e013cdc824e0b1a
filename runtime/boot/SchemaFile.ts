import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate, schemaFile } from "@carteiro/tables/Migrations.ts"
import { schemaText } from "@carteiro/tables/SchemaText.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"
import { StartRefused, tellRefusal } from "./StartRefused.ts"

// `npm run codegen` writes schema/database/schema.sql from the migrations, over an embedded PostgreSQL of its own, which
// is removed again. test/tables/SchemaFile.test.ts fails while the file is stale.

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-schema-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const program = Effect.gen(function* () {
  const settings = ["fsync=off", "full_page_writes=off"]
  const { url } = yield* EmbeddedPostgres.acquire({ dataDir: yield* folder, settings })
  const text = yield* Effect.provide(
    Effect.andThen(migrate(), schemaText),
    Sql.layer(url, { applicationName: "carteiro-codegen", maxConnections: 2 })
  )
  yield* Effect.sync(() => readFileSync(schemaFile, "utf8") === text || writeFileSync(schemaFile, text))
}).pipe(
  Effect.catchTag(["SqlError", "MigrationRefused"], (error) =>
    Effect.fail(new StartRefused({ message: error.message }))
  )
)

NodeRuntime.runMain(tellRefusal(Effect.scoped(program)))
