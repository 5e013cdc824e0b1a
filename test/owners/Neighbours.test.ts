import { Commit, type Submitted } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { noLease } from "../../packages/owners/commit/Statement.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"

const insertNote = defineInsert({
  name: "notes.insert",
  table: "notes",
  columns: { id: "text", size: "int4", at: "timestamptz" },
  target: rowOf("notes", "id")
})

const addOne = defineUpdate({
  name: "counts.add",
  table: "counts",
  key: { id: "text" },
  values: { n: "t.n + 1" },
  target: rowOf("counts", "id")
})

const addOneOnTop = defineUpdate({
  name: "counts_on_top.add",
  table: "counts_on_top",
  key: { id: "text" },
  values: { n: "t.n + 1" },
  target: rowOf("counts_on_top", "id")
})

const quiet = Logger.layer([])

const services = Layer.unwrap(
  Effect.map(create(), (url) =>
    commitLayer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
      ),
      Layer.provideMerge(TestDatabase.at(url, servingLimits)),
      Layer.provideMerge(quiet)
    )
  )
)

const note = (id: string, size: number, at = 0) => ({ ...noLease, rows: [insertNote.row({ id, size, at })] })
const add = (id: string) => ({ ...noLease, rows: [addOne.row({ id })] })

const submit = (owner: string, ...units: Parameters<Commit["Service"]["submit"]>[1]) =>
  Effect.flatMap(Commit, (commit) =>
    Effect.callback<Submitted>((resume) => commit.submit(owner, units, (result) => resume(Effect.succeed(result))))
  )
const statusesOf = (results: ReadonlyArray<Submitted>) => results.map(({ statuses }) => statuses)

it.layer(services, { excludeTestServices: true })("A unit that fails in a shared statement", (it) => {
  it.effect("fails alone when a value does not fit its column, whatever units share its statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table notes (id text primary key, size int4 not null, at timestamptz not null check (size < 9))`
      const results = yield* Effect.all(
        [
          submit("one", note("a", 1), note("b", 1)),
          // A number that no int4 holds and an instant beyond the language's: neither can be sent at all.
          submit("two", note("c", 2 ** 40), note("d", 1)),
          submit("three", note("e", 1, Number.NaN)),
          // Refused by the server: a byte that no text holds, and a check.
          submit("four", note("f\u0000", 1)),
          submit("five", note("g", 9), note("h", 1))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(statusesOf(results), [
        ["committed", "committed"],
        ["failed", "committed"],
        ["failed"],
        ["failed"],
        ["failed", "committed"]
      ])
      const stored = yield* sql<{ readonly id: string }>`select id from notes order by id`
      assert.deepStrictEqual(
        stored.map(({ id }) => id),
        ["a", "b", "d", "h"]
      )
    })
  )

  it.effect("fails the later decisions of its own owner with it, and those of no other owner", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      yield* sql`create table counts_on_top (id text primary key, n int4 not null)`
      yield* sql`insert into counts_on_top (id, n) values ('owned', 0), ('other', 0)`
      let holds = true
      const addOnTop = (id: string) => ({ ...noLease, rows: [addOneOnTop.row({ id })] })
      const hand = (owner: string, id: string, before: () => void, stands?: () => boolean) =>
        Effect.callback<Submitted>((resume) =>
          commit.submit(
            owner,
            [addOnTop(id)],
            (result) => {
              before()
              resume(Effect.succeed(result))
            },
            stands
          )
        )
      const results = yield* Effect.all(
        [
          // The first is told to have failed as far as its owner goes: what it submitted next waits for the same row.
          hand("one", "owned", () => {
            holds = false
          }),
          hand(
            "one",
            "owned",
            () => {},
            () => holds
          ),
          hand("two", "other", () => {})
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(statusesOf(results), [["committed"], ["unavailable"], ["committed"]])
      assert.deepStrictEqual(yield* sql`select id, n from counts_on_top order by id`, [
        { id: "other", n: 1 },
        { id: "owned", n: 1 }
      ])
    })
  )

  it.effect(
    "waits alone for a row that another transaction has locked; later changes of that row wait behind it, in order",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table counts (id text primary key, n int4 not null)`
        yield* sql`insert into counts (id, n) values ('held', 0), ('free', 0), ('other', 0)`
        const ended: Array<string> = []
        const told = (name: string) => (result: Submitted) =>
          Effect.sync(() => void ended.push(`${name} ${result.statuses.join(" ")}`))
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update counts set n = n where id = 'held'`
            const first = yield* Effect.forkDetach(Effect.tap(submit("one", add("held")), told("first")))
            yield* Effect.tap(submit("two", add("free")), told("beside"))
            const second = yield* Effect.forkDetach(Effect.tap(submit("three", add("held")), told("second")))
            // The same owner goes on with other rows, and so does everybody else, statement after statement.
            for (const owner of ["one", "three", "four"]) yield* Effect.tap(submit(owner, add("other")), told(owner))
            return [first, second]
          })
        )
        yield* Effect.forEach(waiting, Fiber.join)
        assert.deepStrictEqual(ended, [
          "beside committed",
          "one committed",
          "three committed",
          "four committed",
          "first committed",
          "second committed"
        ])
        assert.deepStrictEqual(yield* sql`select id, n from counts order by id`, [
          { id: "free", n: 1 },
          { id: "held", n: 2 },
          { id: "other", n: 3 }
        ])
      })
  )
})
