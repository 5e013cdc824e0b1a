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
  const head = textOf([columns], form, withoutFormulas)
  return `${form === "br" ? "\ufeff" : ""}${head}${csvLines(rows, columns, form)}`
}

/** Returns rows, which are read once, as lines of a file whose columns are written already. */
export const csvLines = (
  rows: Iterable<ReadonlyArray<CsvCell>>,
  columns: ReadonlyArray<string> = [],
  form: CsvForm = "rfc"
): string => {
  const isAmount = columns.map((name) => name.endsWith("_brl"))
  return textOf(rows, form, (cell, column) => written(cell, form, isAmount[column] ?? false))
}

/**
 * Returns rows of a list for a spreadsheet in which people correct them: reading the text gives the cells back. Phone numbers
 * of the column `phone` get the blanks that keep them texts there; other cells stay as they are written.
 */
export const listText = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  phone: number
): string => {
  const written = (text: string, column: number): string =>
    column === phone && isPhoneCell(text) ? spacedPhone(text) : asText(text)
  return `\ufeff${textOf([columns, ...rows], "br", written)}`
}

/** Puts an apostrophe before a formula, which readers of lists take away. */
const asText = (text: string): string => text.replace(/^(?=[=+\-@])/, "'")

/** Returns rows as lines of cells, each as `written` has it, quoted where it must be, as RFC 4180 has it. */
const textOf = <Cell>(
  rows: Iterable<ReadonlyArray<Cell>>,
  form: CsvForm,
  written: (cell: Cell, column: number) => string
): string => {
  const isQuoted = quotedTexts[form]
  let all = ""
  for (const row of rows) {
    const last = row.length - 1
    for (const [column, cell] of row.entries()) {
      const text = written(cell, column)
      all += isQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text
      if (column < last) all += separators[form]
    }
    all += lineEnd
  }
  return all
}

const lineEnd = "\r\n"
const separators: Readonly<Record<CsvForm, string>> = { rfc: ",", br: ";" }

/** Matches a text that a reader would not give back without quotes; some readers trim blanks at an end. */
const quotedTexts: Readonly<Record<CsvForm, RegExp>> = {
  rfc: /[",\r\n\ufeff]|^ | $/,
  br: /[";\r\n\ufeff]|^ | $/
}

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
  !mayRun.test(text) || isPhoneCell(text)
    ? text
    : text.replaceAll(/[,;\t\r\n](?=["\t\r]*[=+\-@])/g, guard).replace(/^(?=[=+\-@\t\r])/, "'")

/** Matches no text that a spreadsheet takes as it is: most cells, which need no closer look. */
const mayRun = /^[=+\-@\t\r]|[,;\t\r\n]/

const guard = (separator: string, at: number, whole: string): string =>
  // A number within a list, as JSON has it. At the end of the text a quote may follow, and no number then; behind a blank
  // an operator may.
  /^[+-]?\d+(?:\.\d+)?(?=[,\]}\t\r\n])/.test(whole.slice(at + 1)) ? separator : `${separator}'`
