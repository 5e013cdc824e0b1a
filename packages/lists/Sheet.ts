import papaparse from "papaparse"
import { type ListFault, listFault } from "./Faults.ts"
import { fileText, unreadable } from "./FileText.ts"
import { isPhoneLike, isPhoneName } from "./PhoneCells.ts"

/** One row with a value, with its number as a spreadsheet shows it. */
export interface SheetRow {
  readonly line: number
  /** Trimmed, without the empty ones behind the last value. */
  readonly cells: ReadonlyArray<string>
}

/** A list as a spreadsheet shows it. */
export interface Sheet {
  /** The names of the columns; undefined for a list without a first row of names. */
  readonly names: ReadonlyArray<string> | undefined
  readonly rows: ReadonlyArray<SheetRow>
  /** The most cells of a row. */
  readonly width: number
  /** What stands between two cells. */
  readonly separator: string
}

/**
 * Reads a list as spreadsheets save it: any of their encodings, separators and line ends. Refuses one that cannot be
 * read to its end; `phoneColumn` is the name that its reader gives to the column of phone numbers.
 */
export const readSheet = (source: string | Uint8Array, phoneColumn?: string): Sheet | ListFault => {
  const decoded = typeof source === "string" ? source.replace(/^\ufeff/, "") : fileText(source)
  if (decoded === undefined) return listFault("workbook")
  const lines = decoded.replaceAll(/\r\n?/g, "\n")
  const [separatorLine, named] = /^"?sep=([^\n])"?(?:\n|$)/i.exec(lines) ?? []
  // Spreadsheets take this line as a setting, and count from the next one.
  const text = lines.slice(separatorLine?.length ?? 0)
  const delimiter = named ?? delimiterOf(text)
  const { data, errors } = parse(text, delimiter)
  const broken = errors.find(({ type }) => type === "Quotes")
  if (broken !== undefined) {
    const before = parse(text.slice(0, Math.max(0, (broken.index ?? 1) - 1)), delimiter).data.at(-1)
    const fault = broken.code === "MissingQuotes" ? "open_quote" : "text_after_quote"
    return listFault(fault, { line: (broken.row ?? 0) + 1, column: Math.max(0, (before?.length ?? 1) - 1) })
  }
  return sheetOf(rowsOf(data), delimiter, phoneColumn)
}

const parse = (text: string, delimiter: string, preview = 0) =>
  papaparse.parse<ReadonlyArray<string>>(text, { delimiter, newline: "\n", preview })

const rowsOf = (data: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<SheetRow> =>
  data
    .map((cells, index) => ({ line: index + 1, cells: withoutEmptyEnd(cells.map(cellOf)) }))
    .filter(({ cells }) => cells.length > 0)

/** An apostrophe before a formula is how spreadsheets, and our own files, mark a text. */
const cellOf = (written: string): string =>
  written
    .trim()
    .replace(/^'(?=[=+\-@])/, "")
    .normalize("NFC")

const withoutEmptyEnd = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1)

const sheetOf = (
  rows: ReadonlyArray<SheetRow>,
  separator: string,
  phoneColumn: string | undefined
): Sheet | ListFault => {
  const [first] = rows
  if (first === undefined) return listFault("empty")
  for (const { cells, line } of rows) {
    const column = cells.findIndex((cell) => cell.includes(unreadable) || cell.includes("\0"))
    if (column >= 0) return listFault("unreadable_character", { line, column })
  }
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
  if (!isNames(first.cells, phoneColumn)) return { names: undefined, rows, width, separator }
  const named = rows.slice(1)
  if (named.length === 0) return listFault("no_rows")
  for (const { cells, line } of named) {
    const column = cells.findIndex((cell, index) => cell !== "" && (first.cells[index] ?? "") === "")
    if (column >= 0) return listFault("nameless_value", { line, column })
  }
  return { names: first.cells, rows: named, width: first.cells.length, separator }
}

/** The first row names the columns when it says where the phone number is, or when none of its cells is one. */
const isNames = (cells: ReadonlyArray<string>, phoneColumn: string | undefined): boolean =>
  cells.some((cell) => isPhoneName(cell) || (cell !== "" && cell === phoneColumn)) || !cells.some(isPhoneLike)

/** Separators in the order in which they are preferred where several explain a list: a comma stands in numbers and texts. */
const delimiters = ["\t", ";", "|", ","]

/** Rows that are looked at to find the separator. */
const sampleRows = 200

const delimiterOf = (text: string): string => {
  const judged = delimiters.map((delimiter, order) => {
    const rows = rowsOf(parse(text, delimiter, sampleRows).data).map(({ cells }) => cells)
    const width = rows[0]?.length ?? 0
    const isEven = rows.every((cells) => cells.length <= width)
    const hasPhones = Array.from({ length: width }, (_, column) => column).some(
      (column) => isPhoneName(rows[0]?.[column] ?? "") || rows.every((cells) => isPhoneLike(cells[column] ?? ""))
    )
    return { delimiter, order, worth: (width > 1 ? 4 : 0) + (hasPhones ? 2 : 0) + (isEven ? 1 : 0) }
  })
  const [best] = judged.toSorted((one, other) => other.worth - one.worth || one.order - other.order)
  return best?.delimiter ?? ","
}
