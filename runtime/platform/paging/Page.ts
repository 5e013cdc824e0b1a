import { defaultPageSize } from "@carteiro/schema/conventions/Page.ts"

/** The `limit` of a decoded list query as a number. A-CONV-14 */
export const pageSize = (limit: string | undefined): number => (limit === undefined ? defaultPageSize : Number(limit))

/**
 * The list envelope of a page, from its rows and one more where there is one; `cursorAfter` is asked for the last row
 * shown, when more follow. A-CONV-13
 */
export const listPage = <Row, Item>(
  rows: ReadonlyArray<Row>,
  size: number,
  read: (row: Row) => Item,
  cursorAfter: (last: Row) => string
) => {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return {
    object: "list" as const,
    data: shown.map(read),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorAfter(last)
  }
}
