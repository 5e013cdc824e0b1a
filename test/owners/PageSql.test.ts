import { pageBytes, pageSql } from "@carteiro/tables/PageSql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../support/TestDatabase.ts"

it.layer(TestDatabase.layer)("The SQL of a page", (it) => {
  it.effect("reads no row behind the one that passes 4 MB (gaps-1 A 'Default list order')", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { begin, end } = pageSql("octet_length(text)", "id")
      const page = (length: number) =>
        Effect.map(
          sql.unsafe<{ readonly id: number; readonly page_bytes: string }>(
            `${begin}select n as id, repeat('x', ${length}) as text from generate_series(1, 60) n${end}`
          ),
          (rows) => rows.map(({ id, page_bytes }) => [id, Number(page_bytes)])
        )
      const third = pageBytes / 3 + 1
      assert.deepStrictEqual(
        yield* page(Math.ceil(third)),
        [0, 1, 2, 3].map((before) => [before + 1, before * Math.ceil(third)])
      )
      assert.strictEqual((yield* page(10)).length, 60)
    })
  )
})
