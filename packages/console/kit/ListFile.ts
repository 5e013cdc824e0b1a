import { type CsvForm, csvLines, csvText } from "@carteiro/lists/CsvText.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Effect } from "effect"
import { cellOf, fileReply } from "./Csv.ts"

/** Rows of a file, newest first; the filters reach the older ones. */
export const mostFileRows = 10_000

/** Reads that one file takes at most: a narrowed list looks at a bounded number of rows with each. */
const mostReads = 60
const rowsOfARead = 1000

/** Columns of a file by their names, each with what it holds of a row. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => unknown>>

/** Returns columns named like members of the resource that a row shows. */
export const membersOf = <Row, Item>(
  itemOf: (row: Row) => Item,
  ...names: ReadonlyArray<keyof Item & string>
): FileColumns<Row> => Object.fromEntries(names.map((name) => [name, (row: Row) => itemOf(row)[name]]))

/** Returns a list as a file: all of its pages up to `mostFileRows` rows, read one after the other. */
export const listFile = Effect.fnUntraced(function* <Row, E, R>(
  name: string,
  columns: FileColumns<Row>,
  idOf: (row: Row) => string,
  read: (before: string | undefined, count: number) => Effect.Effect<Walked<Row>, E, R>,
  form?: CsvForm
) {
  const names = Object.keys(columns)
  const cells = Object.values(columns)
  // The bytes of each read are written at once, and stand outside the memory that garbage is collected from.
  const parts = [Buffer.from(csvText(names, [], form))]
  let rows = 0
  let before: string | undefined
  for (let reads = 0; reads < mostReads && rows < mostFileRows; reads++) {
    const count = Math.min(rowsOfARead, mostFileRows - rows)
    const part = yield* read(before, count)
    parts.push(Buffer.from(csvLines(cellsOf(part.rows, cells), names, form)))
    rows += part.rows.length
    const last = part.rows.at(-1)
    const next = part.rows.length >= count && last !== undefined ? idOf(last) : part.walked_to
    if (next === null) break
    before = next
  }
  return fileReply(name, Buffer.concat(parts))
})

/** Yields the cells of one row after the other, so that no part of a file is in memory as cells. */
function* cellsOf<Row>(rows: ReadonlyArray<Row>, cells: ReadonlyArray<(row: Row) => unknown>) {
  for (const row of rows) yield cells.map((cell) => cellOf(cell(row)))
}
