import { writeFile } from "node:fs/promises"
import { type CsvCell, type CsvForm, csvText } from "@carteiro/lists/CsvText.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

/** Options of every command that writes a list. */
export interface ExportOptions {
  readonly format: CsvForm
  readonly output?: string
}

/** Prints members of rows as CSV, or writes them into a file; with `--json` prints the rows themselves. */
export const exportRows = async <Row extends object>(
  shell: Shell,
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<keyof Row & string>,
  { format, output }: ExportOptions
): Promise<void> => {
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])))
  const text = csvText(columns, cells, format)
  if (output !== undefined) {
    await writeFile(output, text)
    return shell.result({ file: output, rows: rows.length }, `${counted(rows.length, "row")} written to ${output}`)
  }
  if (shell.options.json === true) return shell.result(rows, "")
  shell.file(text)
}

const cellOf = (value: unknown): CsvCell =>
  value === null || value === undefined
    ? null
    : typeof value === "string" || typeof value === "number"
      ? value
      : JSON.stringify(value)
