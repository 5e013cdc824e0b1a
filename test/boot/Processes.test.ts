import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { get } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { clusterOf } from "../support/EmbeddedServer.ts"
import { familiesOf, objections } from "../support/MetricsText.ts"
import { childrenOf, commandOf, isRunning } from "../support/ProcessTable.ts"
import { runProgram } from "../support/Program.ts"
import { type StartedProgram, startedNode, startedProgram } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "carteiro-processes-"))
    chmodSync(path, 0o755)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Makes a program believe that it runs on macOS. */
const macHost = fileURLToPath(new URL("../support/MacHost.ts", import.meta.url))

/** Processes of several that a supervisor runs. */
const processesOf = ({ pid }: Pick<StartedProgram, "pid">) =>
  childrenOf(pid).filter((child) => commandOf(child).includes("EqualProcess.ts"))

/** The processes that wrote a line with these words. */
const writersOf = ({ printed }: StartedProgram, words: string): ReadonlySet<unknown> =>
  new Set(
    printed.stderr
      .split("\n")
      .filter((line) => line.includes(words))
      .map((line) => (JSON.parse(line) as { readonly process?: unknown }).process)
  )

/** A call on a connection of its own; its status, or undefined when the connection broke. */
const callOnce = (url: string, key: string) =>
  Effect.callback<number | undefined>((resume) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get(url, { agent: false, headers, timeout: 45_000 }, (answer) => {
      answer.resume()
      answer.once("close", () => resume(Effect.succeed(answer.statusCode)))
    })
    request.once("timeout", () => resume(Effect.die(new Error("a call was never answered"))))
    request.once("error", () => resume(Effect.succeed(undefined)))
  })

const listOf = ({ base_url, sandbox }: DevFile) => callOnce(`${base_url}/v1/templates`, sandbox.api_key)

/** Sends through the owner of the sandbox's number, which lives in one of the processes. */
const send = ({ base_url, sandbox }: DevFile, to: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${base_url}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.api_key}`, "content-type": "application/json", connection: "close" },
      body: JSON.stringify({
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: sandbox.phone_number_id },
        recipient: { type: "phone_e164", id: to },
        message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } }
      })
    })
    return { status: answer.status, text: await answer.text() }
  })

interface Health {
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly status: string; readonly detail: string }>>
  readonly processes: ReadonlyArray<{ readonly process: number; readonly pid: number; readonly status: string }>
}

const healthOf = (adminUrl: string, path = "/health/ready") =>
  Effect.promise(async () => {
    const answer = await fetch(`${adminUrl}${path}`)
    return { code: answer.status, ...((await answer.json()) as Health) }
  })

/** A long poll, which waits at its owner in one of the processes. */
const listen = ({ base_url, sandbox }: DevFile) =>
  callOnce(`${base_url}/v1/webhook-events/listen?start_at=tail&wait_ms=25000`, sandbox.api_key)

const connectedTo = ({ database_url }: DevFile) =>
  Sql.layer(database_url, { applicationName: "test", maxConnections: 1 })

const runnersOf = (file: DevFile) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select address from cluster_runners`).pipe(
    Effect.provide(connectedTo(file))
  )

const pollIsOpen = (file: DevFile) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    until(Effect.map(sql`select from webhook_listen_waits`, (rows) => rows.length > 0))
  ).pipe(Effect.provide(connectedTo(file)))

const textOf = (url: string) => Effect.promise(async () => (await fetch(url)).text())

it.live(
  "CARTEIRO_PROCESSES=3 answers at one port from three processes, restarts a killed one, and stops all in order (Boot contract, CARTEIRO_PROCESSES)",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => rmSync(join(clusterOf(dataDir), ".."), { recursive: true, force: true }))
      )
      const node = yield* startedNode({
        CARTEIRO_DATA_DIR: dataDir,
        CARTEIRO_PROCESSES: "3",
        CARTEIRO_RUNNER_PORT: "0",
        PORT: "0"
      })
      const { file, printed } = node
      assert.strictEqual(printed.stdout, `ready ${file.base_url}\n`)
      const started = processesOf(node)
      assert.lengthOf(started, 3)
      const others = childrenOf(node.pid).filter((pid) => !started.includes(pid))
      assert.lengthOf(others, 2, "one database server, and one process of simulators")
      assert.deepStrictEqual(writersOf(node, '"msg":"ready"'), new Set([0, 1, 2, "supervisor"]))

      for (let calls = 0; calls < 6; calls++) assert.strictEqual(yield* listOf(file), 200)
      assert.deepStrictEqual(writersOf(node, '"operation":"templates.list"'), new Set([0, 1, 2]))
      yield* metricsOfThree(file)
      const well = yield* healthOf(file.admin_url)
      assert.deepStrictEqual([well.code, well.status], [200, "ok"])
      assert.sameMembers(
        well.processes.map(({ pid }) => pid),
        started
      )

      const killed = well.processes.find(({ process }) => process === 1)?.pid ?? 0
      process.kill(killed, "SIGKILL")
      // A caller whose connection was handed to it sees the end of the connection, and none waits for ever.
      const statuses = yield* Effect.forEach([...Array(12)], () => listOf(file), { concurrency: 4 })
      assert.include(statuses, 200)
      assert.sameMembers([...new Set([...statuses, undefined, 200])], [undefined, 200])
      for (const to of ["+5511999990001", "+5511999990002", "+5511999990003"]) {
        const { status, text } = yield* send(file, to)
        assert.strictEqual(status, 202, text)
      }
      yield* until(Effect.map(healthOf(file.admin_url), ({ status }) => status === "ok"))
      const again = (yield* healthOf(file.admin_url)).processes.map(({ pid }) => pid)
      assert.lengthOf(again, 3)
      assert.notInclude(again, killed)
      assert.deepStrictEqual(writersOf(node, "a process ended and is started again"), new Set(["supervisor"]))

      const poll = yield* Effect.forkChild(listen(file))
      yield* pollIsOpen(file)
      const [, , frozen = 0] = again
      process.kill(frozen, "SIGSTOP")
      node.signal("SIGTERM")
      node.signal("SIGTERM")
      // Requests of the process that is not drained yet may need owners of the others.
      yield* until(Effect.sync(() => writersOf(node, '"msg":"drained; owners stay').size === 2))
      assert.lengthOf(yield* runnersOf(file), 3)
      process.kill(frozen, "SIGCONT")
      assert.strictEqual(yield* Fiber.join(poll), 200)
      assert.strictEqual(yield* node.exited, 0)
      for (const pid of [...again, ...others]) assert.isFalse(isRunning(pid))
      assert.strictEqual(printed.stdout, `ready ${file.base_url}\n`)
      assert.sameMembers([...writersOf(node, "{")], [0, 1, 2, "supervisor"])
    }).pipe(Effect.scoped),
  patience
)

/** The shards of the cluster are spread over all, and the page keeps the conventions of Prometheus. */
const metricsOfThree = Effect.fnUntraced(function* ({ admin_url }: DevFile) {
  const heldShards = (metrics: string) =>
    [...metrics.matchAll(/^effect_cluster_shards\{process="(\d)"\} (\d+)$/gm)].map(([, process, count]) => ({
      process,
      count: Number(count)
    }))
  assert.deepStrictEqual(objections(familiesOf(yield* textOf(`${admin_url}/metrics`))), [])
  // A shard that moves to a process which joined later is held by neither for a moment.
  yield* until(
    Effect.map(textOf(`${admin_url}/metrics`), (metrics) => {
      const held = heldShards(metrics)
      assert.deepStrictEqual(
        held.map(({ process }) => process),
        ["0", "1", "2"]
      )
      return held.every(({ count }) => count > 0) && held.reduce((sum, { count }) => sum + count, 0) === 128
    })
  )
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("CARTEIRO_PROCESSES=2", (it) => {
  it.effect(
    "processes of a killed supervisor stop as on SIGTERM: their owners are handed over",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const node = yield* startedNode({
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: yield* folder,
          CARTEIRO_PROCESSES: "2",
          CARTEIRO_RUNNER_PORT: "0",
          PORT: "0"
        })
        const started = processesOf(node)
        assert.lengthOf(started, 2)
        node.signal("SIGKILL")
        yield* until(Effect.sync(() => !started.some(isRunning)))
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select address from cluster_runners`, [])
      }),
    patience
  )

  it.effect(
    "also starts shards and edges, with one ready line each; on macOS connections are handed out too",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const shared = {
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: yield* folder,
          CARTEIRO_MASTER_KEY: "ab".repeat(32),
          CARTEIRO_PROCESSES: "2",
          PORT: "0"
        }
        const runnerPort = yield* freePort()
        const shard = yield* startedProgram({
          ...shared,
          CARTEIRO_ROLE: "shard",
          CARTEIRO_RUNNER_PORT: String(runnerPort)
        })
        const [, shardUrl = ""] = /^ready (\S+)\n$/.exec(shard.printed.stdout) ?? []
        assert.lengthOf((yield* healthOf(shardUrl)).processes, 2)
        const sql = yield* SqlClient.SqlClient
        const runners = yield* sql<{ readonly address: string }>`select address from cluster_runners order by address`
        const expected = [`127.0.0.1:${runnerPort}`, `127.0.0.1:${runnerPort + 1}`]
        for (const [at, { address }] of runners.entries()) assert.include(address, expected[at] ?? "")
        assert.lengthOf(runners, 2)

        const edge = yield* startedProgram({ ...shared, CARTEIRO_ROLE: "edge", NODE_OPTIONS: `--import=${macHost}` })
        const [, edgeUrl = ""] = /^ready (\S+)\n$/.exec(edge.printed.stdout) ?? []
        for (let calls = 0; calls < 4; calls++) {
          assert.strictEqual(yield* callOnce(`${edgeUrl}/v1/templates`, "svc_sbx_none"), 401)
        }
        assert.deepStrictEqual(writersOf(edge, '"status":401'), new Set([0, 1]))
        for (const node of [edge, shard]) {
          node.signal("SIGTERM")
          assert.strictEqual(yield* node.exited, 0)
          assert.match(node.printed.stdout, /^ready \S+\n$/)
        }
      }),
    patience
  )

  it.effect(
    "refuses to start in one line: an invalid number, a port of process 1 or a public port that is taken, a fault that all processes refuse",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const port = yield* freePort()
        yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof createServer>>((resume) => {
            const server = createServer()
            server.listen(port + 1, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
        )
        const shared = { DATABASE_URL: url, CARTEIRO_DATA_DIR: yield* folder, PORT: "0", CARTEIRO_LOG: "error" }
        const refusal = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
          const { code, stderr, stdout } = yield* runProgram("main.ts", { ...shared, ...env })
          assert.deepStrictEqual([code, stdout], [1, ""])
          assert.strictEqual(stderr.split("\n").length, 2, stderr)
          return stderr
        })
        assert.strictEqual(
          yield* refusal({ CARTEIRO_PROCESSES: "many" }),
          'CARTEIRO_PROCESSES: expected auto or a whole number from 1 to 64, not "many"\n'
        )
        assert.match(
          yield* refusal({ CARTEIRO_PROCESSES: "2", CARTEIRO_RUNNER_PORT: String(port) }),
          new RegExp(`^CARTEIRO_RUNNER_PORT: another process listens at 127\\.0\\.0\\.1:${port + 1}; stop it, or set `)
        )
        const tls = { CARTEIRO_RUNNER_TLS_CERT: "/", CARTEIRO_RUNNER_TLS_KEY: "/", CARTEIRO_RUNNER_TLS_CA: "/" }
        assert.strictEqual(
          yield* refusal({ CARTEIRO_PROCESSES: "2", CARTEIRO_RUNNER_PORT: "0", ...tls }),
          "CARTEIRO_RUNNER_TLS_CERT, _KEY and _CA: expected readable files\n"
        )
        assert.match(
          yield* refusal({ CARTEIRO_PROCESSES: "2", CARTEIRO_RUNNER_PORT: "0", PORT: String(port + 1) }),
          new RegExp(`^PORT: another process listens at 127\\.0\\.0\\.1:${port + 1}; stop it, or set `)
        )
      }),
    patience
  )
})
