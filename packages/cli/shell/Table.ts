import { escapeValue } from "./Terminal.ts"

/** One line of a table, a cell for each column. */
export type Row = ReadonlyArray<string | number | null | undefined>

/** Returns a count with its noun, such as `1 row` or `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Returns lines with aligned columns, two blanks apart. Each cell is one line that a terminal shows as it is. */
export const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string => {
  const cells = [columns, ...rows.map((row) => row.map(cell))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => width(row[at] ?? ""))))
  const line = (row: ReadonlyArray<string>) =>
    row.map((text, at) => (at === row.length - 1 ? text : pad(text, widths[at] ?? 0))).join("  ")
  return cells.map((row) => line(row).trimEnd()).join("\n")
}

/** Returns names and values in two columns, without those that are null or undefined. */
export const fields = (values: Readonly<Record<string, string | number | null | undefined>>): string => {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  const widest = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(widest)}  ${cell(value)}`).join("\n")
}

const cell = (value: Row[number]): string => (value === null || value === undefined ? "-" : escapeValue(String(value)))

const width = (text: string): number => [...text].length

const pad = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)))
