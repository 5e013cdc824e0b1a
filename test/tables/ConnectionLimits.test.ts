import { ReadPatience, servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { one } from "@carteiro/tables/Read.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { failureText, hasDatabaseAway, hasPassingSqlError } from "@carteiro/tables/SqlFailure.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { databaseProxy } from "../support/DatabaseProxy.ts"
import { create } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** Short, so that a test sees the end of them. */
const limits = { statementMs: 300, lockMs: 100, idleInTransactionMs: 10_000 }

const over = <A, E, R>(url: string, use: Effect.Effect<A, E, R>, connections = 2) =>
  Effect.provide(use, Sql.layer(url, { applicationName: "carteiro-test", maxConnections: connections, limits }), {
    local: true
  })

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => one(sql<{ readonly n: number }>`select 1 as n`))
/** Gives up at once; only for a host that vanished, or that is asked again. */
const impatient = Effect.provideService(ask, ReadPatience, 200)
const cause = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flip(Effect.sandbox(effect))

describe("a connection to PostgreSQL", () => {
  it.live("sends the server its limits, and asks TCP to probe a peer that is gone", () =>
    Effect.gen(function* () {
      const { statementMs, lockMs, idleInTransactionMs } = servingLimits
      const url = yield* create("template0")
      const told = yield* Effect.provide(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ readonly name: string; readonly setting: string }>`select name, setting from pg_settings
            where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
              'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')`
        ),
        Sql.layer(url, { applicationName: "carteiro-test", limits: servingLimits }),
        { local: true }
      )
      assert.deepStrictEqual(Object.fromEntries(told.map(({ name, setting }) => [name, Number(setting)])), {
        statement_timeout: statementMs,
        lock_timeout: lockMs,
        idle_in_transaction_session_timeout: idleInTransactionMs,
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
        tcp_user_timeout: 20_000
      })
    })
  )

  it.live("refuses writes on a read-only connection", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      const written = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.flip(sql`create table t (n int4)`)),
        Sql.layer(url, { applicationName: "carteiro-test", readOnly: true }),
        { local: true }
      )
      assert.match(failureText(written), /in a read-only transaction/)
    })
  )

  it.live("ends a statement that takes too long and one that waits for a lock, both retryable", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      yield* over(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const slow = yield* cause(one(sql`select pg_sleep(60)`))
          assert.isTrue(hasPassingSqlError(slow))
          yield* sql`create table rows (id int4 primary key)`
          yield* sql`insert into rows values (1)`
          const locked = yield* sql.withTransaction(
            Effect.andThen(
              sql`update rows set id = 1`,
              // On a connection of its own, as the other service is not the transaction's.
              over(url, cause(Effect.flatMap(SqlClient.SqlClient, (other) => one(other`update rows set id = 2`))))
            )
          )
          assert.isTrue(hasPassingSqlError(locked))
          assert.deepStrictEqual(yield* ask, { n: 1 })
        })
      )
    })
  )

  it.live.each(["resumed", "rebooted"] as const)(
    "to a host that vanished is given up: reads fail as the database being away, and go on once it is back (%s)",
    (how) =>
      Effect.gen(function* () {
        const proxy = yield* databaseProxy(yield* create("template0"))
        yield* over(
          proxy.url,
          Effect.gen(function* () {
            yield* ask
            proxy.vanish()
            // More than there are connections: those that wait for one are given up as well.
            const causes = yield* Effect.forEach([1, 2, 3, 4], () => cause(impatient), { concurrency: "unbounded" })
            for (const one of causes) assert.isTrue(hasDatabaseAway(one))
            proxy.comeBack(how)
            yield* until(Effect.map(Effect.exit(impatient), (exit) => exit._tag === "Success"))
          })
        )
      }),
    240_000
  )

  it.live("lets a caller abandon a read that is not answered, and serves the next one", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      yield* over(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const asked = yield* Effect.forkChild(one(sql`select pg_sleep(60)`))
          yield* until(
            Effect.map(
              sql`select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%'
                and pid <> pg_backend_pid()`,
              (rows) => rows.length > 0
            )
          )
          yield* Fiber.interrupt(asked)
          assert.deepStrictEqual(yield* ask, { n: 1 })
        })
      )
    })
  )
})
