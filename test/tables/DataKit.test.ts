import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

const millis = Date.UTC(2026, 0, 2, 3, 4, 5, 6)

it.layer(TestDatabase.empty, { excludeTestServices: true })("The data kit", (it) => {
  it.effect("reads instants as epoch milliseconds, before 1970 and 2000, finite or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const row = yield* one(sql`select '2026-01-02T03:04:05.006Z'::timestamptz as late,
        '1969-12-31T23:59:59.999Z'::timestamptz as early, '1999-12-31T23:59:59.999999Z'::timestamptz as cut,
        'infinity'::timestamptz as never, '-infinity'::timestamptz as always, null::timestamptz as missing`)
      assert.deepStrictEqual(row, {
        late: millis,
        early: -1,
        cut: Date.UTC(2000, 0, 1) - 1,
        never: Number.POSITIVE_INFINITY,
        always: Number.NEGATIVE_INFINITY,
        missing: null
      })
    })
  )

  it.effect("binds instants and arrays of them, whatever type the statement expects", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const row = yield* one(
        sql`select ${instant(millis)} as at, ${instant(null)} as missing, ${instant(-1)}::text as early,
          ${instant(Number.POSITIVE_INFINITY)}::text as never, ${instant(0.9)} as cut,
          ${arrayParameter("timestamptz", [millis, null])} as all, ${arrayParameter("int8", [1, null])} as counts`
      )
      assert.deepStrictEqual(row, {
        at: millis,
        missing: null,
        early: "1969-12-31 23:59:59.999+00",
        never: "infinity",
        cut: 0,
        all: [millis, null],
        counts: [1, null]
      })
    })
  )

  it.effect("refuses an instant that is not a number", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(one(sql`select ${instant(Number.NaN)} as at`))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.effect("returns the first row or undefined, all rows or none, as they are read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const upTo = (n: number) => sql<{ readonly n: number }>`select n from generate_series(1, ${n}) n order by n`
      const doubled = ({ n }: { readonly n: number }) => n * 2
      assert.deepStrictEqual(yield* one(upTo(2)), { n: 1 })
      assert.strictEqual(yield* one(upTo(2), doubled), 2)
      assert.isUndefined(yield* one(upTo(0)))
      assert.isUndefined(yield* one(upTo(0), doubled))
      assert.deepStrictEqual(yield* many(upTo(2)), [{ n: 1 }, { n: 2 }])
      assert.deepStrictEqual(yield* many(upTo(2), doubled), [2, 4])
      assert.deepStrictEqual(yield* many(upTo(0)), [])
    })
  )

  it.effect("treats a failing database as a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const died = (exit: Exit.Exit<unknown>) => Exit.isFailure(exit) && Cause.hasDies(exit.cause)
      assert.isTrue(died(yield* Effect.exit(one(sql`select 1 / 0`))))
      assert.isTrue(died(yield* Effect.exit(many(sql`select 1 / 0`))))
    })
  )
})
