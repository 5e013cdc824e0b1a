import { isPhoneCell, spacedPhone } from "./PhoneCells.ts"

/** A cell of a file. */
export type CsvCell = string | number | null

/**
 * How a file is written: `rfc` with commas and decimal points, as programs read it; `br` as a Brazilian spreadsheet opens
 * it, with a byte order mark, semicolons, decimal commas, and phone numbers that stay texts.
 */
export type CsvForm = "rfc" | "br"

/** Returns the form of this name; undefined for any other name. */
export const csvFormNamed = (name: string | undefined): CsvForm | undefined =>
  name === "br" || name === "rfc" ? name : undefined

/** Returns rows under their columns as the text of a file. */
export const csvText = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<CsvCell>>,
  form: CsvForm = "rfc"
): string => {
  const isAmount = columns.map((name) => name.endsWith("_brl"))
  const lines = rows.map((row) =>
    lineOf(
      row.map((cell, column) => written(cell, form, isAmount[column] ?? false)),
      form
    )
  )
  return `${form === "br" ? "\ufeff" : ""}${lineOf(columns.map(withoutFormulas), form)}${lines.join("")}`
}

/** Returns rows as lines of a file whose columns are written already. */
export const csvLines = (rows: ReadonlyArray<ReadonlyArray<CsvCell>>): string =>
  rows
    .map((row) =>
      lineOf(
        row.map((cell) => written(cell, "rfc", false)),
        "rfc"
      )
    )
    .join("")

/**
 * Returns rows of a list for a spreadsheet in which people correct them: reading the text gives the cells back. Phone numbers
 * of the column `phone` get the blanks that keep them texts there; other cells stay as they are written.
 */
export const listText = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  phone: number
): string => {
  const lineOfCells = (cells: ReadonlyArray<string>): string =>
    lineOf(
      cells.map((text, index) => (index === phone && isPhoneCell(text) ? spacedPhone(text) : asText(text))),
      "br"
    )
  return `\ufeff${[columns, ...rows].map(lineOfCells).join("")}`
}

/** Puts an apostrophe before a formula, which readers of lists take away. */
const asText = (text: string): string => text.replace(/^(?=[=+\-@])/, "'")

const lineOf = (cells: ReadonlyArray<string>, form: CsvForm): string =>
  `${cells.map((text) => quoted(text, form)).join(separators[form])}\r\n`

const separators: Readonly<Record<CsvForm, string>> = { rfc: ",", br: ";" }

const quoted = (text: string, form: CsvForm): string =>
  /["\r\n]/.test(text) || text.includes(separators[form]) ? `"${text.replaceAll('"', '""')}"` : text

/** Numbers and amounts get a decimal comma, phone numbers blanks, and texts no formula. */
const written = (cell: CsvCell, form: CsvForm, isAmount: boolean): string => {
  const text = String(cell ?? "")
  if (form === "br" && /^\+\d{8,15}$/.test(text)) return spacedPhone(text)
  const isNumber = (isAmount || typeof cell === "number") && /^-?\d+(?:\.\d+)?$/.test(text)
  if (isNumber) return form === "br" ? text.replace(".", ",") : text
  return withoutFormulas(text)
}

/**
 * Puts an apostrophe before whatever a spreadsheet would run as a formula: at the start of the cell, and behind each
 * separator within it, since a spreadsheet that splits at another separator sees a cell there. A phone number stays as it is,
 * so that the file can be read again: no spreadsheet makes more of it than a number.
 */
const withoutFormulas = (text: string): string =>
  isPhoneCell(text) ? text : text.replaceAll(/[,;\t\r\n](?=["\t\r]*[=+\-@])/g, guard).replace(/^(?=[=+\-@\t\r])/, "'")

const guard = (separator: string, at: number, whole: string): string =>
  // A number within a list, as JSON has it. At the end of the text a quote may follow, and no number then; behind a blank
  // an operator may.
  /^[+-]?\d+(?:\.\d+)?(?=[,\]}\t\r\n])/.test(whole.slice(at + 1)) ? separator : `${separator}'`
