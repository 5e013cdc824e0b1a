import { KeptSession } from "@carteiro/tables/KeptSession.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { create } from "../support/TestDatabase.ts"

const over = <A, E, R>(url: string, sessions: number, use: Effect.Effect<A, E, R>) =>
  Effect.provide(use, Sql.layer(url, { applicationName: "carteiro-test-kept", maxConnections: sessions }), {
    local: true
  })

const pid = "select pg_backend_pid() as pid"

const keptPid = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Effect.provideService(sql.unsafe<{ readonly pid: number }>(pid), KeptSession, true)
  return row?.pid
})

const pidOf = (session: Connection) =>
  Effect.map(session.execute(pid, [], undefined), ([row]) => (row as { readonly pid: number } | undefined)?.pid)

describe("statements that keep their session", () => {
  it.live("run on one session, whoever else takes one between them", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      yield* over(
        url,
        4,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const first = yield* keptPid
          assert.isDefined(first)
          const others = yield* Effect.forEach([1, 2, 3], () => Effect.flatMap(sql.reserve, pidOf))
          assert.notInclude(others, first)
          assert.strictEqual(yield* keptPid, first)
        }).pipe(Effect.scoped)
      )
    })
  )

  it.live("borrow another session while one of them runs", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      const pids = yield* over(url, 4, Effect.all([keptPid, keptPid], { concurrency: 2 }))
      assert.strictEqual(new Set(pids).size, 2)
    })
  )

  it.live("go on with another session once theirs has ended", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      yield* over(
        url,
        4,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const first = yield* keptPid
          yield* sql`select pg_terminate_backend(${first ?? 0}::int4, 5000)`
          yield* Effect.ignore(keptPid)
          const next = yield* keptPid
          assert.isDefined(next)
          assert.notStrictEqual(next, first)
          assert.strictEqual(yield* keptPid, next)
        })
      )
    })
  )

  it.live("leave a small pool its sessions", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      yield* over(
        url,
        1,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const first = yield* keptPid
          assert.strictEqual(yield* Effect.scoped(Effect.flatMap(sql.reserve, pidOf)), first)
        })
      )
    })
  )
})
