import { Commit } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim()
const target = rowOf("notes", "place", "id")
const key = { place: "text", id: "text" } as const

describe("A derived write", () => {
  it("inserts columns, constant values and further columns", () => {
    const write = defineInsert({
      table: "notes",
      columns: { ...key, tags: "text", at: "timestamptz" },
      beside: { version: "text" },
      values: { tags: "string_to_array(r.tags, ',')", status: "'new'", changed_at: "r.at" },
      conflict: "ignore",
      returning: "id"
    })
    assert.deepStrictEqual(
      [write.name, write.returns, Object.keys(write.columns)],
      ["notes.insert", true, ["place", "id", "tags", "at", "version"]]
    )
    assert.strictEqual(
      plain(write.sql("source")),
      "insert into notes (place, id, tags, at, status, changed_at) " +
        "select r.place, r.id, string_to_array(r.tags, ','), r.at, 'new', r.at from source r " +
        "on conflict do nothing returning id as key"
    )
  })

  it("changes existing rows in the order of its key", () => {
    const write = defineInsert({
      table: "notes",
      columns: { ...key, text: "text" },
      conflict: { on: ["place", "id"], update: ["text"] },
      target
    })
    assert.strictEqual(
      plain(write.sql("source")),
      "insert into notes (place, id, text) select r.place, r.id, r.text from source r " +
        "order by r.place, r.id on conflict (place, id) do update set text = excluded.text"
    )
  })

  it("updates rows by key, behind conditions and a guard that locks them in order", () => {
    const write = defineUpdate({
      name: "notes.change",
      table: "notes",
      key,
      set: { text: "text", at: "timestamptz" },
      beside: { seen: "text" },
      values: { at: "greatest(t.at, r.at)", changes: "t.changes + 1" },
      guard: "t.status = r.seen",
      where: "t.at < r.at or t.at is null",
      returning: "t.id",
      target
    })
    assert.strictEqual(
      plain(write.sql("source")),
      "update notes t set text = r.text, at = greatest(t.at, r.at), changes = t.changes + 1 " +
        "from source r where t.place = r.place and t.id = r.id and coalesce(t.at < r.at or t.at is null, false) returning t.id as key"
    )
    assert.strictEqual(
      plain(write.guard?.("asked") ?? ""),
      "select r.unit from asked r join notes t on t.place = r.place and t.id = r.id " +
        "where coalesce(t.status = r.seen, false) order by t.place, t.id for update of t"
    )
    const row = write.row({ place: "p", id: "i", text: null, at: 0, seen: "new" })
    assert.strictEqual(row.write.target?.(row.values as never), "notes/p/i")
  })
})

describe("A write that changes rows", () => {
  const declare = (sql: string, before = "select 1") =>
    defineWrite({ name: "notes.odd", columns: key, sql: () => sql, before: [{ name: "first", sql: () => before }] })

  it("refuses its declaration when it names no target", () => {
    for (const sql of [
      "update notes t set text = ''",
      "\n  UPDATE notes t set text = ''",
      "insert into notes (id) select r.id from source r on conflict (id) do update set text = ''",
      "with x as (select 1) update notes t set text = ''",
      "delete from notes t using source r where t.id = r.id"
    ]) {
      assert.throws(() => declare(sql), /notes\.odd changes rows: it has to name them as its target/)
      assert.throws(() => declare("select 1", sql), /target/)
    }
    assert.throws(
      () => defineInsert({ table: "notes", columns: key, conflict: { on: ["id"], update: ["place"] } }),
      /notes\.insert changes rows/
    )
  })

  it("is distinguished from inserts, locks and columns of that name", () => {
    for (const sql of [
      "insert into notes (id, updated_at) select r.id, r.at from source r on conflict do nothing",
      "select t.id from notes t for update of t",
      "select t.id from notes t for no key update",
      "select t.id from notes t for\n update"
    ])
      assert.doesNotThrow(() => declare(sql))
  })
})

const context = commitLayer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
  ),
  Layer.provideMerge(TestDatabase.layer)
)

it.layer(context, { excludeTestServices: true })("Derived writes in a commit", (it) => {
  const insert = defineInsert({ table: "things", columns: { id: "text", at: "timestamptz" }, returning: "id" })
  const move = defineUpdate({
    name: "things.move",
    table: "things",
    key: { id: "text" },
    set: { at: "timestamptz" },
    guard: "t.at < r.at",
    returning: "t.id",
    target: rowOf("things", "id")
  })

  it.effect("find their rows by key although a plan was made while a partial index of the condition was empty", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table jobs (id text primary key, status text not null)`
      yield* sql`create index jobs_pending on jobs (id) where status = 'pending'`
      yield* sql`insert into jobs select 'a' || i, 'done' from generate_series(1, 1000) i`
      yield* sql`vacuum analyze jobs`.unprepared
      yield* sql`insert into jobs select 'b' || i, 'pending' from generate_series(1, 1000) i`
      const end = defineUpdate({
        name: "jobs.end",
        table: "jobs",
        key: { id: "text" },
        values: { status: "'done'" },
        where: "t.status = 'pending'",
        target: rowOf("jobs", "id")
      })
      const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(
        `explain (costs off) ${end.sql("(select unnest(array['b1', 'b2', 'b3']) as id)")}`
      )
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
      assert.match(text, /Index Scan using jobs_pkey on jobs t\n\s+Index Cond: \(id =/)
      assert.notMatch(text, /jobs_pending/)
    })
  )

  it.effect("write their rows, and nothing of a unit whose guard fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      yield* sql`create table things (id text primary key, at timestamptz)`
      const made = yield* commit.write([insert.row({ id: "a", at: 10 }), insert.row({ id: "b", at: null })])
      assert.deepStrictEqual([...made(insert.name)].sort(), ["a", "b"])
      const moved = yield* commit.write([move.row({ id: "a", at: 20 }), insert.row({ id: "c", at: 30 })])
      assert.isTrue(moved(move.name).has("a"))
      const late = yield* commit.write([move.row({ id: "a", at: 15 }), insert.row({ id: "d", at: 40 })])
      assert.isFalse(late(move.name).has("a"))
      assert.deepStrictEqual(yield* sql`select id, at from things order by id`, [
        { id: "a", at: 20 },
        { id: "b", at: null },
        { id: "c", at: 30 }
      ])
    })
  )
})
