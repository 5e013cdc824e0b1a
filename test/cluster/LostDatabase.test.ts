import { type ChildProcessByStdio, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import * as Migrations from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { dataFolder } from "../support/RunFolder.ts"
import { clientOf, counterTables, edgeNode, shardNode, start } from "./CounterNode.ts"
import { addTo, counters, recorded, spreadOver } from "./Load.ts"

const owner = fileURLToPath(new URL("../support/EmbeddedOwner.ts", import.meta.url))

/** Real processes and leases, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

/** The PostgreSQL of a directory of its own, in a process that is stopped (by fast shutdown) and started again. */
const postgres = Effect.gen(function* () {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => dataFolder("carteiro-cluster-")),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  let child: ChildProcessByStdio<null, Readable, null> | undefined
  const stop = Effect.callback<void>((resume) => {
    if (child === undefined || child.exitCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  })
  const start = Effect.callback<string>((resume) => {
    child = spawn(process.execPath, [owner, dataDir], { stdio: ["ignore", "pipe", "inherit"] })
    child.stdout.once("data", (data: Buffer) => resume(Effect.succeed(data.toString().trim())))
  })
  yield* Effect.addFinalizer(() => stop)
  return { start, stop }
})

it.live(
  "without its database owners answer 503 and a delay, and recover by themselves when it is back",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* postgres
        const url = yield* database.start
        const own = Sql.layer(url, { applicationName: "test" })
        yield* Effect.provide(Effect.andThen(Migrations.migrate(), counterTables), own)
        yield* start(shardNode({ url, name: "a", port: yield* freePort() }))
        yield* start(shardNode({ url, name: "b", port: yield* freePort() }))
        const client = yield* clientOf(yield* start(edgeNode({ url })))
        yield* spreadOver(client, ["a", "b"])

        yield* database.stop
        const refused = yield* Effect.forEach(counters, (counter) => Effect.flip(addTo(client, counter)), {
          concurrency: "unbounded"
        })
        for (const error of refused) {
          assert.strictEqual(error._tag, "service_unavailable")
          assert.isAbove(error.retry_after_ms ?? 0, 0)
        }

        yield* database.start
        yield* spreadOver(client, ["a", "b"]).pipe(
          Effect.retry({ while: (error) => error._tag === "service_unavailable" })
        )
        const { additions, total } = yield* Effect.provide(recorded, own)
        assert.strictEqual(additions, total)
      })
    ),
  patience
)
