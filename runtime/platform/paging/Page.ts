import { defaultPageSize } from "@carteiro/schema/conventions/Page.ts"
import type { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { type Reply, rawReply } from "../http/contract/Reply.ts"
import type { Cursors } from "./Cursors.ts"

/** The `limit` of a decoded list query as a number. A-CONV-14 */
export const pageSize = (limit: string | undefined): number => (limit === undefined ? defaultPageSize : Number(limit))

/** What of a list is asked for, and where its cursors come from. */
export interface AskedPage {
  readonly cursors: Cursors["Service"]
  /** The operation whose cursors these are. */
  readonly route: string
  /** Whatever owns the list, such as the environment. */
  readonly scope: string
  /** As sent; `param` names the query parameter it came in. */
  readonly after: string | undefined
  readonly param?: string
  readonly size: number
}

/** The list envelope. A-CONV-13 */
export interface ListPage<Item> {
  readonly object: "list"
  readonly data: ReadonlyArray<Item>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/**
 * One page of a list in the order of its ids. `rows` are those beyond an id, as many as asked for: one more than the page
 * shows, which tells whether more follow. A-CONV-13, A-CONV-17
 */
export const idPage = <Row extends { readonly id: string }, Item, E, R>(
  { cursors, route, scope, after, param, size }: AskedPage,
  rows: (after: string | undefined, count: number) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  read: (row: Row) => Item
): Effect.Effect<ListPage<Item>, E | InvalidCursor, R> =>
  Effect.gen(function* () {
    const [beyond] = after === undefined ? [] : yield* cursors.decode(route, scope, after, param)
    return listPage(yield* rows(beyond, size + 1), size, read, ({ id }) => cursors.encode(route, scope, [id]))
  })

/**
 * The list envelope of a page, from its rows and one more where there is one; `cursorAfter` is asked for the last row
 * shown, when more follow. A-CONV-13
 */
export const listPage = <Row, Item>(
  rows: ReadonlyArray<Row>,
  size: number,
  read: (row: Row) => Item,
  cursorAfter: (last: Row) => string
): ListPage<Item> => {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return {
    object: "list",
    data: shown.map(read),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorAfter(last)
  }
}

/** The same as an answer, from items that are JSON text. A-CONV-13, A-CONV-22 */
export const pageReply = <Row>(
  request: { readonly traceId: string },
  rows: ReadonlyArray<Row>,
  size: number,
  write: (row: Row) => string,
  cursorAfter: (last: Row) => string
): Reply => {
  const { data, has_more, next_cursor, object } = listPage(rows, size, write, cursorAfter)
  const after = next_cursor === null ? "null" : `"${next_cursor}"`
  const rest = `"has_more":${has_more},"next_cursor":${after},"trace_id":"${request.traceId}"`
  return rawReply(200, `{"object":"${object}","data":[${data.join()}],${rest}}`)
}
