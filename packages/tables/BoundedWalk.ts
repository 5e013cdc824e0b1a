import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { many } from "./Read.ts"

/** Rows that a narrowed list looks at for one page at most. gaps-1 A "Default list order" */
const mostWalkedRows = 5000

/** Rows of a page, newest first, and how far its walk went. */
export interface Walked<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The id at which the walk ended before the list did; null when no row is left beyond it. */
  readonly walked_to: string | null
}

/** A page of a list that no index narrows. */
export interface BoundedWalk {
  readonly table: string
  /** Conditions that an index serves together with the order of ids. */
  readonly along: ReadonlyArray<Statement.Fragment>
  /** Conditions that no index serves. Without any the list ends with its page and needs no bound. */
  readonly narrowed: ReadonlyArray<Statement.Fragment>
  /** Returns the page of the rows for which all of these hold. */
  readonly page: (conditions: ReadonlyArray<Statement.Fragment>) => Statement.Fragment
}

/**
 * Returns the statement of a page that looks at a bounded number of rows, however few of them it wants: each row has
 * `walked_to`, and one row without an id stands for none.
 */
export const walkSql = <Row extends object>(
  sql: SqlClient.SqlClient,
  { along, narrowed, page, table }: BoundedWalk
): Statement.Statement<Row & Ended> =>
  narrowed.length === 0
    ? sql<Row & Ended>`select m.*, null as walked_to from (${page(along)}) m`
    : sql<Row & Ended>`select m.*, e.walked_to from (select (select id
          from ${sql(table)} where ${sql.and(along)} order by id desc offset ${mostWalkedRows} limit 1) as walked_to) e
        left join lateral (${page([...along, sql`id >= coalesce(e.walked_to, '')`, ...narrowed])}) m on true`

/** Reads such a page. */
export const walk = <Row extends { readonly id: string }>(
  sql: SqlClient.SqlClient,
  bounded: BoundedWalk
): Effect.Effect<Walked<Row>> =>
  Effect.map(many(walkSql<Row>(sql, bounded) as Effect.Effect<ReadonlyArray<Row & Ended>, SqlError.SqlError>), walkedOf)

/** Reads page after page until so many rows were found or none is left, for tools that have no cursor. */
export const walkOn = Effect.fnUntraced(function* <Row, E, R>(
  count: number,
  next: (before: string | undefined, count: number) => Effect.Effect<Walked<Row>, E, R>
) {
  const found: Array<Row> = []
  let before: string | undefined
  do {
    const { rows, walked_to } = yield* next(before, count - found.length)
    found.push(...rows)
    before = walked_to ?? undefined
  } while (before !== undefined && found.length < count)
  return found
})

/** Returns rows without the one that stands for none. */
const walkedOf = <Row extends { readonly id: string | null }>(rows: ReadonlyArray<Row & Ended>): Walked<Row> => ({
  rows: rows.filter(({ id }) => id !== null),
  walked_to: rows[0]?.walked_to ?? null
})

interface Ended {
  readonly walked_to: string | null
}
