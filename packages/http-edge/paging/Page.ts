import { inTurns, type Slices, sliceBytes } from "@carteiro/owners/Slices.ts"
import { defaultPageSize } from "@carteiro/schema/conventions/Page.ts"
import type { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { pageBytes } from "@carteiro/tables/PageSql.ts"
import { parseExact } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect } from "effect"
import { type Reply, rawReply, replyOf } from "../contract/Reply.ts"
import type { Cursors } from "./Cursors.ts"

/** Returns the `limit` of a decoded list query as a number. A-CONV-14 */
export const pageSize = (limit: string | undefined): number => (limit === undefined ? defaultPageSize : Number(limit))

/** The requested page of a list, and the maker of its cursors. */
export interface AskedPage {
  readonly cursors: Cursors["Service"]
  /** The operation of the cursors. */
  readonly route: string
  /** The owner of the list, such as the environment. */
  readonly scope: string
  /** The cursor as sent; `param` names its query parameter. */
  readonly after: string | undefined
  readonly param?: string
  readonly size: number
}

/** A page of a list, its items as JSON text, or as values for a caller within the process. A-CONV-13 */
export interface ListPage {
  readonly items: ReadonlyArray<string> | ReadonlyArray<object>
  /** The cursor of the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** True for a request whose caller is within the process and reads values: no JSON text of a page is written for it. */
export const ReadsValues = Context.Reference<boolean>("@carteiro/http-edge/paging/ReadsValues", {
  defaultValue: () => false
})

/** A row of a page; a row that `pageSql` found beyond the bytes of a page is marked. */
export interface PageRow {
  /** The bytes of the rows before it, in a list whose rows may be large. */
  readonly page_bytes?: number
}

/**
 * Returns one page of a list in the order of its ids. `find` returns rows beyond an id, one more than the page shows,
 * which tells whether more follow. The cursor continues a walk that ended early. A-CONV-13, A-CONV-17
 */
export const idPage = <Row extends { readonly id: string }, E, R>(
  { cursors, route, scope, after, param, size }: AskedPage,
  find: (after: string | undefined, count: number) => Effect.Effect<ReadonlyArray<Row> | Walked<Row>, E, R>,
  read: (row: Row) => object | string
): Effect.Effect<ListPage, E | InvalidCursor, R> =>
  Effect.gen(function* () {
    const [beyond] = after === undefined ? [] : yield* cursors.decode(route, scope, after, param)
    const found = yield* find(beyond, size + 1)
    const { rows, walked_to } = "walked_to" in found ? found : { rows: found, walked_to: null }
    const cursorAfter = ({ id }: { readonly id: string }) => cursors.encode(route, scope, [id])
    const page = yield* listPage(scope, rows, size, read, cursorAfter)
    return page.next_cursor === null && walked_to !== null
      ? { ...page, next_cursor: cursorAfter({ id: walked_to }) }
      : page
  })

/**
 * Returns one page from its rows plus one more if there is one: it ends at its size or at `pageBytes`. Items are
 * written once, part by part in the turns of `holder`; a text item is JSON already. `cursorAfter` is called for the
 * last row shown, when more follow. A-CONV-13, gaps-1 A "Default list order"
 */
export const listPage = <Row extends object>(
  holder: string,
  rows: ReadonlyArray<Row & PageRow>,
  size: number,
  read: (row: Row) => object | string,
  cursorAfter: (last: Row) => string
): Effect.Effect<ListPage> =>
  Effect.flatMap(ReadsValues, (readsValues) => {
    const items = readsValues ? takeItems(rows, size, read) : writeItems(rows, size, read)
    return Effect.map(inTurns<PageItems<Row, object> | PageItems<Row, string>>(holder, items), ({ items, last }) => ({
      items,
      next_cursor: last === undefined ? null : cursorAfter(last)
    }))
  })

/** The items of a page, and the last row shown if the page ends before its rows do. */
interface PageItems<Row, Item> {
  readonly items: ReadonlyArray<Item>
  readonly last: Row | undefined
}

/** Takes the values of rows until a page is full. The statement bounds the bytes of rows that may be large. */
function* takeItems<Row extends object>(
  rows: ReadonlyArray<Row & PageRow>,
  size: number,
  read: (row: Row) => object | string
): Slices<PageItems<Row, object>> {
  const items: Array<object> = []
  let last: Row | undefined
  for (const row of rows) {
    if (last !== undefined && (items.length === size || (row.page_bytes ?? 0) > pageBytes)) return { items, last }
    const item = read(row)
    items.push(typeof item === "string" ? (parseExact(item) as object) : item)
    last = row
    if (items.length % rowsOfASlice === 0) yield undefined
  }
  return { items, last: undefined }
}

/** Rows of which one part of the work makes values: about as long as writing `sliceBytes`. */
const rowsOfASlice = 128

/** Writes rows until a page is full. */
export function* writeItems<Row extends object>(
  rows: ReadonlyArray<Row & PageRow>,
  size: number,
  read: (row: Row) => object | string
): Slices<PageItems<Row, string>> {
  const items: Array<string> = []
  let bytes = 0
  let pause = sliceBytes
  let last: Row | undefined
  for (const row of rows) {
    if (last !== undefined && (items.length === size || (row.page_bytes ?? 0) > pageBytes)) return { items, last }
    const item = read(row)
    const text = typeof item === "string" ? item : JSON.stringify(item)
    bytes += Buffer.byteLength(text) + 1
    if (last !== undefined && bytes > pageBytes) return { items, last }
    items.push(text)
    last = row
    if (bytes < pause) continue
    pause = bytes + sliceBytes
    yield undefined
  }
  return { items, last: undefined }
}

/** Returns a page as a response, with further members if the list has some. A-CONV-13, A-CONV-22 */
export const pageReply = (
  request: { readonly traceId: string },
  { items, next_cursor }: ListPage,
  beside: object = {}
): Reply => {
  const more = { has_more: next_cursor !== null, next_cursor, ...beside, trace_id: request.traceId }
  return areTexts(items)
    ? rawReply(200, `{"object":"list","data":[${items.join()}],${JSON.stringify(more).slice(1)}`)
    : replyOf(200, { object: "list", data: items, ...more })
}

const areTexts = (items: ListPage["items"]): items is ReadonlyArray<string> =>
  items.every((item) => typeof item === "string")
