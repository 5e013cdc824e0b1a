import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { PrimaryChoice } from "../../packages/tables/PrimaryChoice.ts"
import { queried, replicated, waitForStandby } from "../support/Standby.ts"
import { until } from "../support/Until.ts"

describe("the choice of the primary", () => {
  const on = (timeline: number | undefined, system = "1", isSynchronous = true, position = 0) => ({
    isSynchronous,
    system,
    timeline,
    position
  })

  it("is the server that takes writes, and stays while that does not answer and no other takes writes", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(undefined))
    assert.isUndefined(choice.current)
    choice.saw("b", on(3))
    choice.saw("b", undefined)
    choice.saw("a", undefined)
    assert.strictEqual(choice.current, "b")
  })

  it("moves to a promoted server, also while the old primary still takes writes, and never back to its timeline", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1))
    choice.saw("b", on(2))
    assert.strictEqual(choice.current, "b")
    assert.match(choice.saw("a", on(1)) ?? "", /timeline 1, and a server was promoted to timeline 2/)
    choice.saw("b", undefined)
    assert.match(choice.saw("a", on(1)) ?? "", /timeline 1/)
    assert.strictEqual(choice.current, "b")
    choice.saw("a", on(3))
    assert.strictEqual(choice.current, "a")
  })

  it("is none after the primary became a standby, until a server takes writes", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1))
    choice.saw("a", on(undefined))
    assert.isUndefined(choice.current)
    choice.saw("b", on(2))
    assert.strictEqual(choice.current, "b")
  })

  it("is none once a server is promoted whose former primary had no synchronous standby, unless nothing used it yet", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1, "1", false))
    choice.saw("b", on(2, "1", false))
    assert.strictEqual(choice.current, "b")
    choice.isInUse = true
    choice.saw("b", on(2, "1", false))
    assert.strictEqual(choice.current, "b")
    for (const server of ["a", "a", "b"] as const) {
      assert.match(choice.saw(server, on(3)) ?? "", /had no synchronous standby/)
      assert.isUndefined(choice.current)
    }
    choice.saw("b", on(2, "1", true))
    assert.isUndefined(choice.current)
  })

  it("stays the remaining primary that crashed and was promoted again with its own data, synchronous standby or none", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1))
    choice.isInUse = true
    choice.saw("b", on(2, "1", false, 100))
    choice.saw("b", on(2, "1", false, 200))
    choice.saw("b", undefined)
    choice.saw("b", on(undefined))
    assert.isUndefined(choice.current)
    assert.isUndefined(choice.saw("b", on(3, "1", false, 200)))
    assert.strictEqual(choice.current, "b")
    assert.match(choice.saw("a", on(4, "1", false, 300)) ?? "", /had no synchronous standby/, "another server")
  })

  it("is none once the server in use shows less of its log on a newer timeline, as after a restore in place", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1, "1", false, 200))
    choice.isInUse = true
    choice.saw("a", on(1, "1", false, 200))
    choice.saw("a", undefined)
    assert.match(choice.saw("a", on(2, "1", false, 199)) ?? "", /had no synchronous standby/)
    assert.isTrue(choice.isRefused)
  })

  it("moves between addresses of one primary, and refuses a server with other data", () => {
    const choice = new PrimaryChoice(["a", "b"])
    choice.saw("a", on(1))
    choice.saw("b", on(1))
    assert.strictEqual(choice.current, "a")
    choice.saw("a", undefined)
    choice.saw("b", on(1))
    assert.strictEqual(choice.current, "b")
    assert.strictEqual(choice.saw("a", on(7, "2")), "it holds other data")
    assert.strictEqual(choice.current, "b")
  })
})

/** A URL that names both servers. */
const both = (primary: string, standby: string) => {
  const url = new URL(primary)
  return `postgres://${url.username}:${url.password}@${new URL(standby).host},${url.host}${url.pathname}`
}

it.live(
  "statements follow a promotion, those that wait at the old primary included, which takes none of them any more",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { primary, standby } = yield* replicated
        yield* queried(primary, (sql) => sql`create table things (id int primary key)`)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`insert into things values (1)`
          const here = Effect.map(
            sql<{ readonly port: number }>`select inet_server_port() as port`,
            ([row]) => row?.port
          )
          assert.strictEqual(yield* here, Number(new URL(primary).port))
          yield* until(
            Effect.map(
              queried(standby, (read) => read`select from things`).pipe(Effect.orElseSucceed(() => [])),
              (rows) => rows.length === 1
            )
          )

          // The synchronous standby is promoted while a commit waits for it: the old primary answers it no more.
          yield* waitForStandby(primary, "nobody")
          const waiting = yield* Effect.forkChild(Effect.result(sql`insert into things values (2)`))
          const looked = queried(
            primary,
            (read) => read<{ readonly found: boolean }>`select exists (
            select from pg_stat_activity a, pg_stat_activity b where a.application_name like '%-watch'
              and b.wait_event = 'SyncRep' and a.query_start > b.query_start) as found`
          )
          yield* until(Effect.map(looked, ([row]) => row?.found === true))
          const waits = queried(primary, (read) => read`select from pg_stat_activity where wait_event = 'SyncRep'`)
          yield* until(Effect.map(waits, (rows) => rows.length > 0))
          yield* queried(standby, (admin) => admin`select pg_promote()`)
          assert.strictEqual((yield* Fiber.join(waiting))._tag, "Failure")
          assert.strictEqual(yield* here, Number(new URL(standby).port))
          yield* sql`insert into things values (3)`
          const ids = Effect.map(sql<{ readonly id: number }>`select id from things order by id`, (rows) =>
            rows.map(({ id }) => id)
          )
          const stored = yield* ids
          assert.include(stored, 3)
          const old = yield* queried(primary, (read) => read<{ readonly id: number }>`select id from things`)
          assert.notInclude(
            old.map(({ id }) => id),
            3
          )
        }).pipe(
          Effect.provide(
            Sql.layer(both(primary, standby), { applicationName: "carteiro-test-primary", maxConnections: 3 })
          )
        )
      })
    ),
  240_000
)
