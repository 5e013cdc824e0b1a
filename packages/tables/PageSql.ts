import type { Walked } from "./BoundedWalk.ts"

/** The most bytes of JSON in a page, unless its first item alone is larger. gaps-1 A "Default list order" */
export const pageBytes = 4_000_000

/**
 * Returns SQL around a list of rows that may be large: it ends with the first row beyond `pageBytes`, which tells that
 * more follow. Without it all rows of a page would be read and then dropped. `width` is the size of a row's large
 * columns by `octet_length`, which does not read them; `order` is the order of the list.
 */
export const pageSql = (width: string, order: string): { readonly begin: string; readonly end: string } => {
  const bytes = (rows: string) =>
    `coalesce(sum(${width}) over (order by ${order} rows between unbounded preceding and ${rows}), 0)::int8`
  return {
    begin: `select f.* from (select p.*, ${bytes("1 preceding")} as page_bytes, ${bytes("2 preceding")} as passed_bytes from (`,
    end: `) p) f where f.passed_bytes <= ${pageBytes} order by ${order}`
  }
}

/** Returns a walk that goes on behind the last of its rows, where `pageSql` ended them at their bytes. */
export const endedByBytes = <Row extends { readonly id: string; readonly page_bytes?: number }>(
  walked: Walked<Row>
): Walked<Row> => {
  const last = walked.rows.at(-1)
  return last !== undefined && (last.page_bytes ?? 0) > pageBytes ? { ...walked, walked_to: last.id } : walked
}
