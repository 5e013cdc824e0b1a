import type { BatchRecipientInput } from "@carteiro/schema/batches/CreateBatch.ts"
import papaparse from "papaparse"
import { type Html, html } from "../kit/Html.ts"

/** A recipient of a list, with the number of its row; the first row of a list is 1. */
export interface ListedRecipient {
  readonly row: number
  readonly recipient: BatchRecipientInput
}

/** The recipients of a list, or why it cannot be read. */
export type ReadList =
  | { readonly recipients: ReadonlyArray<ListedRecipient>; readonly error?: never }
  | { readonly error: Html }

/** Names of the column of phone numbers, as spreadsheets call it. */
const phoneColumns: ReadonlySet<string> = new Set(["to", "phone", "telefone", "celular"])
const metadataPrefix = "metadata."

/**
 * Reads a list as a spreadsheet saves it, with commas, semicolons or tabs. Its first row names the columns: `to`, one
 * for each variable, and `metadata.…`. A list that begins with a phone number has none: its columns are `to`, `1`, `2`
 * and so on.
 */
export const readList = (text: string): ReadList => {
  const { data, errors } = papaparse.parse<ReadonlyArray<string>>(text, { delimitersToGuess: [",", ";", "\t"] })
  const broken = errors.find(({ type }) => type === "Quotes")
  if (broken !== undefined) return { error: html`Row ${(broken.row ?? 0) + 1}: a quotation mark is missing.` }
  const rows = data
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
  const [first] = rows
  if (first === undefined) return { error: html`The list has no row.` }
  const isNamed = !/^\+?[\d\s()./-]+$/.test(first.cells[0] ?? "")
  const columns = isNamed ? first.cells : widest(rows.map(({ cells }) => cells))
  const phone = columns.findIndex((name) => phoneColumns.has(name.toLowerCase()))
  if (phone < 0) return { error: html`The first row must name the column of the phone numbers, <code>to</code>.` }
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index)
  if (twice !== undefined) return { error: html`Two columns are named ${twice}.` }
  const listed = isNamed ? rows.slice(1) : rows
  if (listed.length === 0) return { error: html`The list names its columns and has no row below them.` }
  const nameless = listed.find(({ cells }) => cells.some((cell, index) => cell !== "" && !columns[index]))
  if (nameless !== undefined) return { error: html`Row ${nameless.row} has a value in a column without a name.` }
  return { recipients: listed.map(({ cells, row }) => ({ row, recipient: recipientOf(columns, phone, cells) })) }
}

/** Returns the columns of rows without a first one that names them. */
const widest = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 1)
  return Array.from({ length: width }, (_, index) => (index === 0 ? "to" : String(index)))
}

const recipientOf = (
  columns: ReadonlyArray<string>,
  phone: number,
  cells: ReadonlyArray<string>
): BatchRecipientInput => {
  const values = columns.flatMap((name, index) => (index === phone || name === "" ? [] : [[name, cells[index] ?? ""]]))
  const metadata = values.filter(([name = "", value]) => name.startsWith(metadataPrefix) && value !== "")
  const variables = values.filter(([name = ""]) => !name.startsWith(metadataPrefix))
  return {
    to: cells[phone] ?? "",
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    ...(metadata.length > 0 && {
      metadata: Object.fromEntries(metadata.map(([name = "", value]) => [name.slice(metadataPrefix.length), value]))
    })
  }
}
