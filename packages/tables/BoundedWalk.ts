import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { many } from "./Read.ts"

/** The most rows that a filtered list reads for one page. gaps-1 A "Default list order" */
export const mostWalkedRows = 5000

/** Rows of a page, newest first, and the end of its walk. */
export interface Walked<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The id at which the walk ended before the list did; null when no row is left beyond it. */
  readonly walked_to: string | null
}

/** A page of a list whose filters have no index. */
export interface BoundedWalk {
  readonly table: string
  /** Conditions with an index that also orders by id. */
  readonly along: ReadonlyArray<Statement.Fragment>
  /** Conditions without an index. If there is none, the list ends with its page and needs no limit. */
  readonly narrowed: ReadonlyArray<Statement.Fragment>
  /** Returns the page of the rows for which all conditions hold. */
  readonly page: (conditions: ReadonlyArray<Statement.Fragment>) => Statement.Fragment
}

/**
 * Returns the statement of a page that reads a limited number of rows, however few of them match: each row has
 * `walked_to`, and one row without an id means that none matched.
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

/** Reads page after page until so many rows were found or none is left, for tools without a cursor. */
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

/** Returns rows without the one that means that none matched. */
const walkedOf = <Row extends { readonly id: string | null }>(rows: ReadonlyArray<Row & Ended>): Walked<Row> => ({
  rows: rows.filter(({ id }) => id !== null),
  walked_to: rows[0]?.walked_to ?? null
})

interface Ended {
  readonly walked_to: string | null
}
