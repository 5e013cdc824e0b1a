import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ClusterNode, nodesOf } from "../support/ClusterLines.ts"
import { childrenOf, commandOf, isRunning } from "../support/ProcessTable.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { launcher } from "./LauncherProcess.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const customer = "+5511999998888"

/** Looks again and again until it is so. */
const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.asVoid(
    Effect.repeat(
      Effect.tap(holds, () => Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))),
      { until: (held) => held }
    )
  )

const gone = ({ pid }: ClusterNode) => until(Effect.sync(() => !isRunning(pid)))

const textOf = (url: string) => Effect.promise(async () => (await fetch(url)).text())

/** Calls the sandbox of the demo organization over the cluster's edge. */
const sandboxOf = ({ base_url, sandbox }: DevFile) => {
  const call = (path: string, body?: unknown) =>
    Effect.promise(async () => {
      const headers = { authorization: `Bearer ${sandbox.api_key}`, "content-type": "application/json" }
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
      const answer = await fetch(`${base_url}/v1/${path}`, { headers, ...sent })
      return {
        status: answer.status,
        body: (await answer.json()) as { readonly id: string; readonly data?: ReadonlyArray<unknown> }
      }
    })
  const text = { channel: "chatapp", type: "text", text: { body: "Oi" } }
  return {
    /** The customer writes: a window opens, and an event is raised. */
    hear: call("sandbox/inbound-messages", { ...text, from: customer, to: sandbox.phone_number_id }),
    send: call("messages", {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: sandbox.phone_number_id },
      recipient: { type: "phone_e164", id: customer },
      message: { type: "text", text: text.text }
    }),
    listen: call("webhook-events/listen?start_at=tail&wait_ms=25000")
  }
}

/** The shard that owns the streams of events, by its own metrics. */
const listenerAmong = Effect.fnUntraced(function* (shards: ReadonlyArray<ClusterNode>) {
  for (const shard of shards) {
    const owners = /^effect_cluster_entities\{type="Listen"\} (\d+)$/m.exec(yield* textOf(`${shard.admin}/metrics`))
    if (Number(owners?.[1] ?? 0) > 0) return shard
  }
  return assert.fail("no shard owns a stream")
})

it.live(
  "the launcher names its nodes and restarts none: the remaining ones take over from a shard that stops or dies",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url: databaseUrl } = yield* TestDatabase
      const cluster = yield* launcher({ databaseUrl, shards: 3, edges: 1 })
      const nodes = nodesOf(cluster.output())
      const named = nodes.map(({ number, role }) => `${role} ${number}`)
      assert.deepStrictEqual(named, ["shard 1", "shard 2", "shard 3", "edge 1"])
      const simulators = childrenOf(cluster.pid).filter((pid) => commandOf(pid).includes("packages/simulators/"))
      const running = () =>
        childrenOf(cluster.pid)
          .filter((pid) => !simulators.includes(pid))
          .sort()
      const pids = (of: ReadonlyArray<ClusterNode>) => of.map(({ pid }) => pid).sort()
      assert.deepStrictEqual(running(), pids(nodes))
      for (const { admin, role } of nodes) {
        const opened = /^lock_sessions_opened_total (\d+)$/m.exec(yield* textOf(`${admin}/metrics`))?.[1]
        // A shard that stood still for seconds on a busy machine has opened another one.
        if (role === "shard") assert.isAtLeast(Number(opened), 1)
        else assert.isUndefined(opened)
        const health = JSON.parse(yield* textOf(`${admin}/health/ready`))
        // One shard runs the sweeper, whichever it is.
        const looks = Object.keys(health.checks).filter((name) => role !== "shard" || name !== "sweeper")
        assert.deepStrictEqual([health.status, looks], ["ok", ["files", "database", "queue", "commits", "clock"]])
        for (const { detail } of Object.values<{ detail: string }>(health.checks)) assert.match(detail, /^[A-Z].+\.$/)
      }
      const [edge] = nodes.filter(({ role }) => role === "edge")
      const shards = nodes.filter(({ role }) => role === "shard")
      assert.match(cluster.output(), new RegExp(`^ready ${edge?.http}$`, "m"))
      const dev = Schema.decodeUnknownSync(Schema.fromJsonString(DevFile))(
        readFileSync(join(cluster.dataDir, "dev.json"), "utf8")
      )
      assert.strictEqual(dev.base_url, edge?.http)
      const { speechprov1, speechprov2, speechprov3, upstream, upstream_app_secret, upstream_phone_number_id } =
        dev.simulators
      for (const member of [upstream, upstream_app_secret, upstream_phone_number_id]) assert.isNotNull(member)
      assert.strictEqual(new Set([upstream, speechprov1, speechprov2, speechprov3, null]).size, 5)
      assert.isAbove(simulators.length, 0)
      const sandbox = sandboxOf(dev)
      assert.strictEqual((yield* sandbox.hear).status, 202)
      assert.strictEqual((yield* sandbox.send).status, 202)

      // A planned stop of the shard at which a long poll waits: the poll is answered before its owner moves on.
      const poll = yield* Effect.forkChild(sandbox.listen)
      yield* until(Effect.map(sql`select from webhook_listen_waits`, (rows) => rows.length > 0))
      const stopped = yield* listenerAmong(shards)
      process.kill(stopped.pid, "SIGTERM")
      yield* gone(stopped)
      const later = yield* sandbox.hear
      assert.strictEqual(later.status, 202)
      // An event of the send above may have ended it sooner; what came after the stop is none of its own.
      const { body, status } = yield* Fiber.join(poll)
      assert.strictEqual(status, 200)
      assert.notInclude(JSON.stringify(body.data), later.body.id)

      const [killed, last] = shards.filter((shard) => shard !== stopped) as [ClusterNode, ClusterNode]
      process.kill(killed.pid, "SIGKILL")
      yield* gone(killed)
      assert.strictEqual((yield* sandbox.send).status, 202)
      assert.deepStrictEqual(nodesOf(cluster.output()), nodes)
      assert.deepStrictEqual(running(), pids([last, edge as ClusterNode]))

      assert.strictEqual(yield* cluster.stop, 0)
      for (const pid of [...simulators, ...nodes.map((node) => node.pid)]) assert.isFalse(isRunning(pid))
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  patience
)

it.live(
  "the nodes of a launcher that is killed stop as they would on SIGTERM: a long poll is answered, owners are handed over",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url: databaseUrl } = yield* TestDatabase
      const cluster = yield* launcher({ databaseUrl, shards: 1, edges: 1 })
      const nodes = nodesOf(cluster.output())
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const { pid } of nodes) if (isRunning(pid)) process.kill(pid, "SIGKILL")
        })
      )
      const dev = Schema.decodeUnknownSync(Schema.fromJsonString(DevFile))(
        readFileSync(join(cluster.dataDir, "dev.json"), "utf8")
      )
      const poll = yield* Effect.forkChild(sandboxOf(dev).listen)
      yield* until(Effect.map(sql`select from webhook_listen_waits`, (rows) => rows.length > 0))
      yield* cluster.kill
      const { body, status } = yield* Fiber.join(poll)
      assert.deepStrictEqual([status, body.data], [200, []])
      for (const node of nodes) yield* gone(node)
      assert.deepStrictEqual(yield* sql`select address from cluster_runners`, [])
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  patience
)
