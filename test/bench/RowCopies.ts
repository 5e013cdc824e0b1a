import { Ids } from "@carteiro/owners/Ids.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { Database } from "./Postgres.ts"

/** Days that the copies are spread over. */
export const daysOfRows = 60
const rowsAtOnce = 50_000

/** One row that is copied, and how often. */
interface Copy {
  readonly table: string
  readonly prefix: IdPrefix
  readonly count: number
  /** Id of the row that is copied. */
  readonly origin: string
  /** Columns with a value of their own, as SQL over the original `o` and the new row `r` (`id`, `at`, `n`). */
  readonly set?: Readonly<Record<string, string>>
}

/** Copies a row so often, its ids and instants spread over the last days in their order. */
export const copies = Effect.fnUntraced(function* (database: Database, copy: Copy, columnsBeside?: Beside) {
  const { count, origin, prefix, set = {}, table } = copy
  const ids = yield* Ids
  const names = yield* database.query(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table]
  )
  const values: Readonly<Record<string, string>> = { id: "r.id", created_at: "r.at", updated_at: "r.at", ...set }
  const columns = names.map(({ name }) => String(name)).filter((name) => name !== "written_in")
  const end = Date.now() - 60_000
  for (let from = 0; from < count; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - from) }, (_, n) => from + n)
    const times = rows.map((n) => Math.floor(end - daysOfRows * dayMs * (1 - n / count)))
    const beside = columnsBeside?.values(rows) ?? []
    yield* database.query(
      `insert into ${table} (${columns.join(", ")})
        select ${columns.map((name) => values[name] ?? `o.${name}`).join(", ")}
        from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int4[]${beside.map((_, at) => `, $${at + 5}::text[]`).join("")})
          r (id, origin, at, n${columnsBeside?.names.map((name) => `, ${name}`).join("") ?? ""})
        join ${table} o on o.id = r.origin`,
      [
        times.map((at) => ids.mint(prefix, at)),
        rows.map((n) => columnsBeside?.originOf?.(n) ?? origin),
        times.map((at) => new Date(at).toISOString()),
        rows,
        ...beside
      ]
    )
  }
})

/** Further values of each row, by name, and the row that it copies where that differs. */
export interface Beside {
  readonly names: ReadonlyArray<string>
  readonly values: (rows: ReadonlyArray<number>) => ReadonlyArray<ReadonlyArray<string>>
  readonly originOf?: (n: number) => string
}
