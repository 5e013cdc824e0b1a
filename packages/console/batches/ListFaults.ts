import type { FaultCode, ListFault } from "@carteiro/lists/Faults.ts"
import { type Html, html } from "../kit/Html.ts"

/** Returns why a list is refused, with its row and column. */
export const faultText = ({ column, fault, line, names }: ListFault): Html => {
  const reason = reasons[fault](names.join(", "))
  if (line === undefined) return reason
  return column === undefined ? html`Row ${line}: ${reason}` : html`Row ${line}, column ${column}: ${reason}`
}

const reasons: Readonly<Record<FaultCode, (names: string) => Html>> = {
  workbook: () => html`The file is a workbook. Save it as CSV and choose that file.`,
  empty: () => html`The list has no row.`,
  unreadable_character: () => html`A character cannot be read. Save the file as CSV in UTF-8.`,
  open_quote: () => html`a quotation mark is missing.`,
  text_after_quote: () => html`Text follows the quotation mark that closes the cell.`,
  no_rows: () => html`The list names its columns and has no row below them.`,
  nameless_value: () => html`The cell has a value, and its column has no name.`,
  same_name: (names) => html`Two columns are for ${names}.`,
  no_phone_column: () => html`Choose below which column holds the phone number.`,
  many_phone_columns: (names) => html`Several columns can hold the phone number: ${names}. Choose one above.`,
  no_such_column: (names) => html`The list has no column ${names}.`
}
