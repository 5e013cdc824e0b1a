import { many } from "@carteiro/tables/Read.ts"
import * as Replica from "@carteiro/tables/Replica.ts"
import { CurrentReplica, ListReader, ReplicaReads } from "@carteiro/tables/ReplicaReads.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { queried, replicated } from "../support/Standby.ts"
import { create } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

describe("the lag of a replica", () => {
  const at = (reads: ReplicaReads, position: number, replayed: number) =>
    reads.reached(reads.begin(), position, replayed)

  it("counts from the last round whose position was replayed, and beyond the bound lists come from the primary", () => {
    let now = 0
    const reads = new ReplicaReads(5000, () => now)
    assert.strictEqual(reads.sourceFor("key_1"), "failed")
    at(reads, 100, 100)
    assert.strictEqual(reads.sourceFor("key_1"), "replica")
    now = 4000
    at(reads, 200, 150)
    assert.deepStrictEqual([reads.lagMs(), reads.sourceFor("key_1")], [4000, "replica"])
    now = 5001
    at(reads, 300, 199)
    assert.strictEqual(reads.sourceFor("key_1"), "lag")
    at(reads, 300, 200)
    assert.deepStrictEqual([reads.lagMs(), reads.sourceFor("key_1")], [1001, "replica"])
  })

  it("does not grow while the primary writes nothing", () => {
    let now = 0
    const reads = new ReplicaReads(5000, () => now)
    for (; now < 60_000; now += 1000) at(reads, 100, 100)
    assert.strictEqual(reads.lagMs(), 1000)
  })

  it("sends a caller who wrote to the primary until a round that began after the write is replayed", () => {
    const reads = new ReplicaReads(5000, () => 0)
    at(reads, 100, 100)
    const begun = reads.begin()
    reads.wrote("key_1")
    assert.deepStrictEqual([reads.sourceFor("key_1"), reads.sourceFor("key_2")], ["written", "replica"])
    reads.reached(begun, 110, 110)
    assert.strictEqual(reads.sourceFor("key_1"), "written", "the position was asked before the write was answered")
    at(reads, 120, 120)
    assert.strictEqual(reads.sourceFor("key_1"), "replica")
  })

  it("is not used after a failure, until a round succeeds", () => {
    const reads = new ReplicaReads(5000, () => 0)
    at(reads, 100, 100)
    reads.failed()
    assert.strictEqual(reads.sourceFor("key_1"), "failed")
    at(reads, 100, 100)
    assert.strictEqual(reads.sourceFor("key_1"), "replica")
  })
})

const options = { applicationName: "carteiro-test-replica", maxConnections: 3 }

it.live(
  "lists come from a real standby, everything else from the primary, and so do lists beyond the bound or without it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const servers = yield* replicated
        yield* queried(servers.primary, (sql) => sql`create table things as select 1 as id`)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const reads = yield* CurrentReplica
          const single = many(sql<{ readonly id: number }>`select id from things order by id`, ({ id }) => id)
          const list = Effect.provideService(single, ListReader, "key_1")
          const standing = many(sql<{ readonly is: boolean }>`select pg_is_in_recovery() as is`, (row) => row.is)
          const source = Effect.provideService(standing, ListReader, "key_1")
          yield* until(Effect.sync(() => reads?.sourceFor("key_1") === "replica"))
          assert.deepStrictEqual([yield* standing, yield* source], [[false], [true]])
          const readOnly = sql<{ readonly v: string }>`select current_setting('default_transaction_read_only') as v`
          assert.deepStrictEqual(yield* Effect.provideService(readOnly, ListReader, "key_1"), [{ v: "on" }])
          const inside = Effect.provideService(sql.withTransaction(standing), ListReader, "key_1")
          assert.deepStrictEqual(yield* inside, [false], "a transaction never runs on the standby")

          yield* servers.pause
          yield* sql`insert into things values (2)`
          assert.deepStrictEqual(yield* single, [1, 2])
          yield* until(Effect.map(list, (ids) => ids.length === 2))
          assert.isAbove(reads?.counts.lag ?? 0, 0)

          yield* servers.resume
          yield* until(Effect.map(source, ([isStandby]) => isStandby === true))
          yield* servers.kill
          yield* until(
            Effect.map(list, (ids) => {
              assert.deepStrictEqual(ids, [1, 2])
              return (reads?.counts.failed ?? 0) > 0
            })
          )
        }).pipe(Effect.provide(Replica.layer(servers.primary, options, { url: servers.standby, maxLagMs: 2000 })))
      })
    ),
  240_000
)

it.live("an absent replica fails no list", () =>
  Effect.gen(function* () {
    const url = yield* create()
    const read = Effect.flatMap(SqlClient.SqlClient, (sql) => many(sql`select 1 as n`))
    const away = { url: "postgres://nobody@127.0.0.1:1/nothing", maxLagMs: 5000 }
    const rows = Effect.provide(Effect.provideService(read, ListReader, "key_1"), Replica.layer(url, options, away))
    assert.deepStrictEqual(yield* rows, [{ n: 1 }])
  }).pipe(Effect.scoped)
)
