import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasPgBouncer, pgBouncer } from "../support/PgBouncer.ts"
import { startedNode } from "../support/StartedNode.ts"
import { create } from "../support/TestDatabase.ts"

interface Session {
  readonly pid: number
  readonly compiled: string
  readonly plans: string
  readonly scans: string
  readonly statement: string
  readonly zone: string
}

const expected = { compiled: "off", plans: "force_generic_plan", scans: "off", statement: "5s", zone: "UTC" }

/** Holds its session for a moment, so that statements at once take one each. */
const session = (sql: SqlClient.SqlClient) => sql<Session>`select pg_backend_pid() as pid,
  current_setting('jit') as compiled,
  current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans,
  current_setting('statement_timeout') as statement, current_setting('timezone') as zone from pg_sleep(0.05)`

/** Every way to a session of a pool: a statement, a transaction, a reserved connection, and one that was held before. */
const everySession = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reserved = Effect.flatMap(sql.reserve, (connection) =>
      connection.execute(
        `select pg_backend_pid() as pid, current_setting('jit') as compiled,
          current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans, current_setting('statement_timeout') as statement,
          current_setting('timezone') as zone from pg_sleep(0.05)`,
        [],
        undefined
      )
    )
    const ways = [session(sql), session(sql), sql.withTransaction(session(sql)), Effect.scoped(reserved)]
    const first = yield* Effect.all(ways, { concurrency: "unbounded" })
    const again = yield* Effect.all(ways, { concurrency: "unbounded" })
    return [...first, ...again].flat()
  }).pipe(
    Effect.provide(Sql.layer(url, { applicationName: "carteiro-test", maxConnections: 4, limits: servingLimits }), {
      local: true
    })
  )

const holdsEverywhere = (sessions: ReadonlyArray<Session>) => {
  assert.lengthOf(sessions, 8)
  assert.lengthOf([...new Set(sessions.map(({ pid }) => pid))], 4, "four sessions")
  for (const { pid: _, ...settings } of sessions) assert.deepStrictEqual(settings, expected)
}

describe("every session of a pool has its limits and plans before its first statement", () => {
  it.live("over a direct connection, for one round trip more", () =>
    Effect.gen(function* () {
      holdsEverywhere(yield* everySession(yield* create("template0")))
    })
  )

  if (hasPgBouncer) {
    it.live("through PgBouncer in session mode", () =>
      Effect.scoped(
        Effect.gen(function* () {
          holdsEverywhere(yield* everySession(yield* pgBouncer(yield* create("template0"))))
        })
      )
    )

    it.live(
      "a node starts, works and stops through PgBouncer in session mode",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const dataDir = yield* Effect.acquireRelease(
              Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-pooled-"))),
              (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
            )
            const url = yield* pgBouncer(yield* create("template0"))
            const node = yield* startedNode({ DATABASE_URL: url, CARTEIRO_DATA_DIR: dataDir, PORT: "0" })
            const { base_url, sandbox } = node.file
            const headers = { authorization: `Bearer ${sandbox.api_key}`, "content-type": "application/json" }
            const body = JSON.stringify({ url: "https://a.example/hook", subscribed_events: ["message.sent"] })
            const made = yield* Effect.promise(() =>
              fetch(`${base_url}/v1/webhook-endpoints`, { method: "POST", headers, body })
            )
            assert.strictEqual(made.status, 201)
            node.signal("SIGTERM")
            assert.strictEqual(yield* node.exited, 0)
          })
        ),
      240_000
    )
  } else {
    it("through PgBouncer nothing was tried: /usr/sbin/pgbouncer is missing (apt-get install pgbouncer)", () => {})
  }
})
