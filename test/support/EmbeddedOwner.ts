import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { tellRefusal } from "@carteiro/runtime/boot/StartRefused.ts"
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"

// A process that owns an embedded PostgreSQL until it is stopped or killed; started by tests with the data directory.
const program = Effect.gen(function* () {
  const { url } = yield* EmbeddedPostgres.acquire({ dataDir: process.argv[2] ?? "", settings: ["fsync=off"] })
  yield* Effect.sync(() => process.stdout.write(`${url}\n`))
  return yield* Effect.never
})

NodeRuntime.runMain(tellRefusal(Effect.scoped(program)))
