import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const now = Date.parse("2026-01-01T00:00:00Z")
const walk = walkOwners("select owner_id as owner, due_at from walked where due_at is not null")

const made = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop table if exists walked`
  yield* sql`create table walked (owner_id text collate "C" not null, due_at timestamptz)`
  yield* sql`create index on walked (owner_id, due_at) where due_at is not null`
  return sql
})

it.layer(TestDatabase.empty, { excludeTestServices: true })("A walk over owners", (it) => {
  it.effect("finds each owner once, page by page, and says which have due work", () =>
    Effect.gen(function* () {
      const sql = yield* made
      yield* sql`insert into walked (owner_id, due_at) values ('a', '2025-12-31Z'), ('a', '2026-02-01Z'),
        ('b', '2026-01-02Z'), ('c', null), ('d', '2026-01-01Z'), ('e', '2026-03-01Z'), ('e', '2025-01-01Z')`
      assert.deepStrictEqual(yield* walk(now, "", 10), { ids: ["a", "d", "e"], next: undefined })
      assert.deepStrictEqual(yield* walk(now, "a", 10), { ids: ["d", "e"], next: undefined })
      assert.deepStrictEqual(yield* walk(now, "", 2), { ids: ["a"], next: "b" })
      assert.deepStrictEqual(yield* walk(now, "b", 2), { ids: ["d", "e"], next: "e" })
      assert.deepStrictEqual(yield* walk(now, "e", 2), { ids: [], next: undefined })
    })
  )

  it.effect("costs a step for each owner, however many rows wait", () =>
    Effect.gen(function* () {
      const sql = yield* made
      yield* sql`insert into walked (owner_id, due_at) select 'o' || n % 10, timestamptz '2025-01-01Z' + n * interval '1 day'
        from generate_series(1, 20000) n`
      yield* sql`analyze walked`
      const read = sql<{ readonly scans: number; readonly rows: number }>`select seq_scan::int4 as scans,
        (seq_tup_read + idx_tup_fetch)::int4 as rows from pg_stat_xact_user_tables where relname = 'walked'`
      const [before, after] = yield* sql.withTransaction(
        Effect.gen(function* () {
          const [before] = yield* read
          assert.strictEqual((yield* walk(now, "", 100)).ids.length, 10)
          return [before, (yield* read)[0]]
        })
      )
      assert.strictEqual(after?.scans, before?.scans)
      assert.isBelow((after?.rows ?? 0) - (before?.rows ?? 0), 200)
    })
  )
})
