import { Commit, type Submitted } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { noLease } from "../../packages/owners/commit/Statement.ts"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const insertNote = defineWrite({
  name: "notes.insert",
  columns: { id: "text" },
  sql: (source) => `insert into notes (id) select r.id from ${source} r`
})

const addOne = defineUpdate({
  name: "counts.add",
  table: "counts",
  key: { id: "text" },
  values: { n: "t.n + 1" },
  target: rowOf("counts", "id"),
  returning: "t.id"
})

const setNote = defineUpdate({
  name: "counts.note",
  table: "counts",
  key: { id: "text" },
  set: { note: "text" },
  target: rowOf("counts", "id")
})

const complaints: Array<string> = []
const listening = Logger.layer([
  Logger.make(({ logLevel, message }) => {
    if (logLevel === "Error") complaints.push(JSON.stringify(message))
  })
])

const services = commitLayer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
  ),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(listening)
)

const completion = (key_hash: string) => ({
  claim: makeClaim({ environment_id: "env", key_hash, fingerprint: "", expires_at: 4_000_000_000_000 }),
  response: { status: 202, body: "" }
})

const submit = (commit: Commit["Service"], owner: string, units: Parameters<Commit["Service"]["submit"]>[1]) =>
  Effect.callback<Submitted>((resume) => commit.submit(owner, units, (submitted) => resume(Effect.succeed(submitted))))

const unit = (id: string, key: string | undefined) => ({
  ...noLease,
  rows: [insertNote.row({ id })],
  completes: key === undefined ? undefined : completion(key)
})

it.layer(services, { excludeTestServices: true })("one statement", (it) => {
  it.effect("with one idempotency key several times takes it once, and nothing fails A-IDEM-04", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      yield* sql`create table notes (id text primary key)`
      const results = yield* Effect.forEach(
        [
          submit(commit, "one", [unit("a", "k1"), unit("b", undefined)]),
          submit(commit, "two", [unit("c", "k1"), unit("d", "k2")]),
          submit(commit, "three", [unit("e", "k3"), unit("f", "k3"), { ...unit("g", "k2"), shard: 1, epoch: 99 }])
        ],
        (submitted) => submitted,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map(({ statuses }) => statuses),
        [
          ["committed", "committed"],
          ["duplicate", "committed"],
          ["committed", "duplicate", "fenced"]
        ]
      )
      const notes = yield* sql<{ readonly id: string }>`select id from notes order by id`
      assert.deepStrictEqual(
        notes.map(({ id }) => id),
        ["a", "b", "d", "e"]
      )
      assert.deepStrictEqual(complaints, [])
      const commits = yield* sql`select id from commits`
      assert.strictEqual(commits.length, 1)
    })
  )

  it.effect("never holds two units that change one row, whatever their callers and writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      yield* sql`create table counts (id text primary key, n int4 not null, note text)`
      yield* sql`insert into counts (id, n) values ('x', 0), ('y', 0)`
      const before = (yield* sql`select id from commits`).length
      const add = (id: string) => ({ ...noLease, rows: [addOne.row({ id })] })
      const note = (id: string, note: string) => ({ ...noLease, rows: [setNote.row({ id, note })] })
      const results = yield* Effect.forEach(
        [
          submit(commit, "one", [add("x"), add("y"), { ...note("x", "first"), shard: 1, epoch: 99 }, add("x")]),
          submit(commit, "two", [note("x", "second")])
        ],
        (submitted) => submitted,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map(({ statuses }) => statuses),
        [["committed", "committed", "fenced", "committed"], ["committed"]]
      )
      assert.deepStrictEqual([...(results[0]?.keys(addOne.name) ?? [])].sort(), ["x", "y"])
      assert.deepStrictEqual(yield* sql`select id, n, note from counts order by id`, [
        { id: "x", n: 2, note: "second" },
        { id: "y", n: 1, note: null }
      ])
      assert.strictEqual((yield* sql`select id from commits`).length - before, 4)
    })
  )

  it.effect("leaves a key to the first unit that may pass", () =>
    Effect.gen(function* () {
      const commit = yield* Commit
      const { statuses } = yield* submit(commit, "one", [
        { ...unit("h", "k4"), shard: 1, epoch: 99 },
        unit("i", "k4"),
        unit("j", "k4")
      ])
      assert.deepStrictEqual(statuses, ["fenced", "committed", "duplicate"])
    })
  )

  it.effect("that finds no room is tried again as it is, and leaves no tombstone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      // A sequence is not rolled back: the disk has room from the third try on.
      yield* sql`create sequence tries`
      yield* sql.unsafe(`create function no_room() returns trigger language plpgsql as $$ begin
        if nextval('tries') < 3 then raise 'could not extend file' using errcode = 'disk_full'; end if; return new; end $$`)
      yield* sql`create trigger no_room before insert on commits for each row execute function no_room()`
      const before = (yield* sql`select id from commits`).length
      assert.deepStrictEqual((yield* submit(commit, "one", [unit("room", undefined)])).statuses, ["committed"])
      assert.strictEqual((yield* sql`select id from notes where id = 'room'`).length, 1)
      assert.strictEqual((yield* sql`select id from commits`).length, before + 1)
      assert.strictEqual((yield* sql`select id from commits where outcome = ''`).length, 0)
      yield* sql`drop trigger no_room on commits`
    })
  )
})
