import { renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { clusterOf, postmasterOf } from "../support/EmbeddedServer.ts"
import { childrenOf, isRunning } from "../support/ProcessTable.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { type StartedNode, startedNode } from "../support/StartedNode.ts"
import { until } from "../support/Until.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const folder = Effect.acquireRelease(
  Effect.sync(() => dataFolder("carteiro-ends-")),
  (path) =>
    Effect.sync(() => {
      const home = join(clusterOf(path), "..")
      for (const made of [home, path]) rmSync(made, { recursive: true, force: true })
    })
)

const settings = (dataDir: string) => ({ CARTEIRO_DATA_DIR: dataDir, PORT: "0" })

const readiness = ({ file }: StartedNode) =>
  Effect.promise(async () => (await fetch(`${file.base_url}/health/ready`)).status)

const call = ({ file }: StartedNode, path: string, body?: unknown) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${file.sandbox.api_key}`, "content-type": "application/json" }
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const answer = await fetch(`${file.base_url}/v1/${path}`, { headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as { readonly id?: string } }
  })

it.live(
  "a killed embedded PostgreSQL is started again in its place: the node is not ready meanwhile, and keeps its data",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDir = yield* folder
        const node = yield* startedNode(settings(dataDir))
        const made = yield* call(node, "webhook-endpoints", {
          url: "https://receiver.example/hook",
          subscribed_events: ["message.sent"]
        })
        assert.strictEqual(made.status, 201)
        const killed = postmasterOf(dataDir)
        // A backend that cannot end keeps the memory of the killed server in use, so that no other can start yet.
        const [backend = 0] = childrenOf(killed)
        process.kill(backend, "SIGSTOP")
        process.kill(killed, "SIGKILL")
        yield* until(Effect.map(readiness(node), (status) => status === 503))
        process.kill(backend, "SIGCONT")
        yield* until(Effect.map(readiness(node), (status) => status === 200))
        const read = yield* call(node, `webhook-endpoints/${made.body.id}`)
        assert.deepStrictEqual([read.status, read.body.id], [200, made.body.id])
        assert.strictEqual(
          (yield* call(node, "webhook-endpoints", { url: "https://b.example/", subscribed_events: ["message.sent"] }))
            .status,
          201
        )

        const again = postmasterOf(dataDir)
        assert.notStrictEqual(again, killed)
        assert.include(node.printed.stderr, `"msg":"the embedded PostgreSQL ended; starting it again"`)
        assert.include(node.printed.stderr, `"msg":"the embedded PostgreSQL runs again"`)
        node.signal("SIGTERM")
        assert.strictEqual(yield* node.exited, 0)
        assert.isFalse(isRunning(again), "the one that was started again stops last")
      })
    ),
  patience
)

it.live(
  "a node whose embedded database cannot be started ends with a sentence",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDir = yield* folder
        const node = yield* startedNode(settings(dataDir))
        const cluster = clusterOf(dataDir)
        const killed = postmasterOf(dataDir)
        renameSync(join(cluster, "PG_VERSION"), join(cluster, "PG_VERSION.lost"))
        process.kill(killed, "SIGKILL")
        assert.strictEqual(yield* node.exited, 1)
        const last = node.printed.stderr.trimEnd().split("\n").at(-1)
        assert.strictEqual(
          last,
          `CARTEIRO_DATA_DIR: the database ${cluster} is gone while it was in use; restore it, or remove ${dataDir} to start afresh`
        )
      })
    ),
  patience
)

it.live(
  "an embedded PostgreSQL that ends right after each start is given up",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDir = yield* folder
        const { log, lost, url } = yield* EmbeddedPostgres.acquire({ dataDir, settings: ["fsync=off"] })
        const answers = Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.as(sql`select 1`, true)),
          Sql.layer(url, { applicationName: "carteiro-test", maxConnections: 1 })
        ).pipe(Effect.catch(() => Effect.succeed(false)))
        const end = Effect.andThen(
          until(answers),
          Effect.sync(() => process.kill(postmasterOf(dataDir), "SIGKILL"))
        )
        const { message } = yield* Effect.flip(Effect.raceFirst(lost, Effect.forever(end)))
        assert.strictEqual(
          message,
          `CARTEIRO_DATA_DIR: the database in ${dataDir} ends as soon as it has started; see ${log} for what ends it`
        )
      })
    ),
  patience
)
