/** One line of a table, a cell for each column. */
export type Row = ReadonlyArray<string | number | null | undefined>

/** Returns a count with its noun, such as `1 row` or `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Returns lines with aligned columns, two blanks apart. Each cell is one line without control characters. */
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

const cell = (value: Row[number]): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of customers must not move the cursor
  value === null || value === undefined ? "-" : String(value).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")

const width = (text: string): number => [...text].length

const pad = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)))
