import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate, migrationStatus, pendingMigrations } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { runProgram } from "../support/Program.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const folder = (files: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = mkdtempSync(join(tmpdir(), "carteiro-migrations-"))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
      return path
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )

const onFresh = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(create("template0"), (url) =>
    Effect.provide(use, Sql.layer(url, { applicationName: "carteiro-test" }), { local: true })
  )

const first = "create table a (id int4);\n-- one; comment\ninsert into a values (1);"
const second = "alter table a add column note text default $$x;y$$;"

it.effect("runs every file once, in order, and records it", () =>
  Effect.gen(function* () {
    const path = yield* folder({ "0001_a.sql": first, "0002_note.sql": second })
    yield* onFresh(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* migrate(path), ["0001_a.sql", "0002_note.sql"])
        assert.deepStrictEqual(yield* migrate(path), [])
        assert.deepStrictEqual(yield* sql`select id, note from a`, [{ id: 1, note: "x;y" }])
        const rows = yield* sql<{ readonly id: number; readonly hash: number }>`
          select id, name, length(sha256) as hash from schema_migrations order by id`
        assert.deepStrictEqual(
          rows.map((row) => [row.id, row.hash]),
          [
            [1, 64],
            [2, 64]
          ]
        )
      })
    )
  })
)

it.effect("of many migrators, each file is run by one", () =>
  Effect.gen(function* () {
    const path = yield* folder({ "0001_a.sql": first, "0002_note.sql": second })
    const runs = yield* onFresh(
      Effect.all(
        Array.from({ length: 4 }, () => migrate(path)),
        { concurrency: "unbounded" }
      )
    )
    assert.deepStrictEqual(runs.flat().sort(), ["0001_a.sql", "0002_note.sql"])
  })
)

it.effect("refuses an applied file that was changed, naming it", () =>
  Effect.gen(function* () {
    const before = yield* folder({ "0001_a.sql": first })
    const after = yield* folder({ "0001_a.sql": `${first} ` })
    const error = yield* onFresh(Effect.andThen(migrate(before), Effect.flip(migrate(after))))
    assert.match(error.message, /^0001_a\.sql was changed after it was applied/)
  })
)

it.effect("refuses a new file below an applied one, two files of one number and a bad name", () =>
  Effect.gen(function* () {
    const late = yield* folder({ "0001_a.sql": first, "0003_c.sql": "select 1" })
    const gap = yield* folder({ "0001_a.sql": first, "0002_note.sql": second, "0003_c.sql": "select 1" })
    const twins = yield* folder({ "0001_a.sql": first, "0001_b.sql": second })
    const unnamed = yield* folder({ "first.sql": first })
    yield* onFresh(
      Effect.gen(function* () {
        yield* migrate(late)
        assert.match((yield* Effect.flip(migrate(gap))).message, /^0002_note\.sql has a number below 0003/)
        assert.match((yield* Effect.flip(migrate(twins))).message, /have the same number$/)
        assert.match((yield* Effect.flip(migrate(unnamed))).message, /^first\.sql is not named NNNN_name\.sql$/)
      })
    )
  })
)

it.effect("leaves nothing of a file that fails midway", () =>
  Effect.gen(function* () {
    const path = yield* folder({ "0001_a.sql": `${first} select nonsense;` })
    yield* onFresh(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.match((yield* Effect.flip(migrate(path))).message, /^0001_a\.sql failed: .*nonsense/)
        assert.deepStrictEqual(yield* sql`select to_regclass('a')::text as a`, [{ a: null }])
        assert.deepStrictEqual(yield* sql`select id from schema_migrations`, [])
      })
    )
  })
)

it.live("waits for a lock in short attempts, between which commits on that table continue", () =>
  Effect.gen(function* () {
    const before = yield* folder({ "0001_a.sql": first })
    const after = yield* folder({ "0001_a.sql": first, "0002_note.sql": second })
    const url = yield* create("template0")
    const session = (name: string) => Sql.layer(url, { applicationName: name, maxConnections: 2 })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(before)
      const migrating = yield* sql.withTransaction(
        Effect.gen(function* () {
          // As a dump does: it reads the table, and keeps it from changing its shape until the end.
          yield* sql`select * from a`
          const tried: Array<string> = []
          const listening = Logger.layer([Logger.make(({ message }) => tried.push(String(message)))])
          const running = yield* Effect.forkDetach(
            Effect.provide(migrate(after), Layer.merge(session("migrating"), listening), { local: true })
          )
          // Inserts behind the waiting migration pass again and again while it goes on trying.
          const insert = Effect.flatMap(SqlClient.SqlClient, (writer) => writer`insert into a values (2)`)
          yield* Effect.provide(
            until(
              Effect.andThen(
                insert,
                Effect.sync(() => tried.length >= 3)
              )
            ),
            session("writing"),
            { local: true }
          )
          assert.isUndefined(running.pollUnsafe())
          return running
        })
      )
      assert.deepStrictEqual(yield* Fiber.join(migrating), ["0002_note.sql"])
      assert.isAbove((yield* sql`select 1 from a where note = 'x;y'`).length, 3)
    }).pipe(Effect.provide(session("dumping"), { local: true }))
  })
)

it.live("a file that gets no lock in time is refused with the remedy, and leaves nothing", () =>
  Effect.gen(function* () {
    const before = yield* folder({ "0001_a.sql": first })
    const after = yield* folder({ "0001_a.sql": first, "0002_note.sql": second })
    const url = yield* create("template0")
    const session = (name: string) => Sql.layer(url, { applicationName: name, maxConnections: 2 })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(before)
      const refused = yield* sql.withTransaction(
        Effect.andThen(
          sql`select * from a`,
          Effect.provide(Effect.flip(migrate(after, 0)), session("migrating"), { local: true })
        )
      )
      assert.match(refused.message, /^0002_note\.sql failed: .*lock timeout.*; end whoever holds its tables/)
      assert.strictEqual((yield* sql`select id from schema_migrations`).length, 1)
    }).pipe(Effect.provide(session("dumping"), { local: true }))
  })
)

it.effect("lists applied and pending files, and changes nothing", () =>
  Effect.gen(function* () {
    const before = yield* folder({ "0001_a.sql": first })
    const after = yield* folder({ "0001_a.sql": first, "0002_note.sql": second })
    const edited = yield* folder({ "0001_a.sql": `${first} ` })
    const states = (path: string) =>
      Effect.map(migrationStatus(path), (found) => found.map(({ name, state }) => `${state} ${name}`))
    yield* onFresh(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* states(after), ["pending 0001_a.sql", "pending 0002_note.sql"])
        assert.deepStrictEqual(yield* migrationStatus(after), yield* pendingMigrations(after))
        const [made] = yield* sql`select to_regclass('schema_migrations')::text as made`
        assert.deepStrictEqual(made, { made: null })
        yield* migrate(before)
        assert.deepStrictEqual(yield* states(after), ["applied 0001_a.sql", "pending 0002_note.sql"])
        yield* migrate(after)
        assert.deepStrictEqual(yield* states(before), ["applied 0001_a.sql", "newer 0002_note.sql"])
        assert.deepStrictEqual(yield* states(edited), ["changed 0001_a.sql", "newer 0002_note.sql"])
        const [{ applied_at } = { applied_at: null }] = yield* migrationStatus(after)
        const [row] = yield* sql<{ readonly at: number }>`select applied_at as at from schema_migrations where id = 1`
        assert.strictEqual(applied_at, row?.at)
      })
    )
  })
)

it.layer(TestDatabase.empty, { excludeTestServices: true })("npm run migrate", (it) => {
  it.effect(
    "explains itself, lists pending files without making a data directory, then updates the database",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const run = (...words: ReadonlyArray<string>) => runProgram("migrate.ts", { DATABASE_URL: url }, ...words)
        const help = yield* run("--help")
        assert.deepStrictEqual([help.code, help.stderr], [0, ""])
        assert.match(help.stdout, /^Usage: npm run migrate .*--status .*changes nothing/s)
        const pending = yield* run("--status")
        assert.match(pending.stdout, /^(pending {2}\d{4}_\w+\.sql\n)+\d+ pending: npm run migrate\n$/)
        const path = yield* folder({})
        const CARTEIRO_DATA_DIR = join(path, "none")
        const fresh = yield* runProgram("migrate.ts", { CARTEIRO_DATA_DIR }, "--status")
        assert.deepStrictEqual([fresh.stdout, existsSync(CARTEIRO_DATA_DIR)], [pending.stdout, false])
        assert.match((yield* run()).stdout, /^applied 0001_\w+\.sql, .*\n$/)
        assert.match(
          (yield* run("--status")).stdout,
          /^(applied {2}\d{4}_\w+\.sql {2}\S+Z\n)+the database is up to date\n$/
        )
        const wrong = yield* run("--now")
        assert.deepStrictEqual([wrong.code, wrong.stderr], [1, "usage: npm run migrate [-- --status | --help]\n"])
      }),
    240_000
  )
})

it.layer(TestDatabase.layer)("TestDatabase", (it) => {
  it.effect("is a clone of the migrated template whose int8 are numbers and whose instants are milliseconds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`select 7::int8 as small, 9007199254740993::int8 as large, array[1, 2]::int8[] as many,
        1.50::numeric as exact, '2026-01-01T00:00:00Z'::timestamptz as at, ${-5}::int8 as back`
      assert.deepStrictEqual(row, {
        small: 7,
        large: 9007199254740993n,
        many: [1, 2],
        exact: "1.50",
        at: Date.parse("2026-01-01T00:00:00Z"),
        back: -5
      })
      assert.deepStrictEqual(yield* migrate(), [])
    })
  )
})
