/** Why a list is refused as a whole. */
export type FaultCode =
  | "workbook"
  | "empty"
  | "unreadable_character"
  | "open_quote"
  | "text_after_quote"
  | "no_rows"
  | "nameless_value"
  | "same_name"
  | "no_phone_column"
  | "many_phone_columns"
  | "no_such_column"

/** A list that cannot be read to its end. Nothing of it is used. gaps-2 A "Phones outside `recipient.id`" */
export interface ListFault {
  readonly fault: FaultCode
  /** The number of the row as a spreadsheet shows it; undefined where the whole list is meant. */
  readonly line: number | undefined
  /** The letters of the column as a spreadsheet shows them. */
  readonly column: string | undefined
  /** The names that the fault is about. */
  readonly names: ReadonlyArray<string>
}

/** Returns a fault of a cell, or of the whole list where no line is given. */
export const listFault = (
  fault: FaultCode,
  at: { readonly line?: number; readonly column?: number; readonly names?: ReadonlyArray<string> } = {}
): ListFault => ({
  fault,
  line: at.line,
  column: at.column === undefined ? undefined : columnLetters(at.column),
  names: at.names ?? []
})

/** Tells a fault from what was read. */
export const isListFault = (read: object): read is ListFault => "fault" in read

/** Returns the letters of a column as spreadsheets name it; the first one is 0. */
export const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26))

/** Returns one sentence that says what to change in the list. */
export const faultSentence = ({ column, fault, line, names }: ListFault): string => {
  const cell = line === undefined ? "" : `Row ${line}${column === undefined ? "" : `, column ${column}`}: `
  return `${cell}${sentences[fault](names.join(", "))}`
}

const sentences: Readonly<Record<FaultCode, (names: string) => string>> = {
  workbook: () => "The file is a workbook. Save it as CSV and read that file.",
  empty: () => "The list has no row.",
  unreadable_character: () => "A character cannot be read. Save the file as CSV in UTF-8.",
  open_quote: () => "A quotation mark opens the cell and none closes it.",
  text_after_quote: () => "Text follows the quotation mark that closes the cell. Double the quotation marks within it.",
  no_rows: () => "The list names its columns and has no row below them.",
  nameless_value: () => "The cell has a value, and its column has no name.",
  same_name: (names) => `Two columns are named ${names}. Rename one of them.`,
  no_phone_column: (names) => `No column is named to, phone or telefone. The columns are: ${names}.`,
  many_phone_columns: (names) => `Several columns can hold the phone number: ${names}.`,
  no_such_column: (names) => `The list has no column ${names}.`
}
