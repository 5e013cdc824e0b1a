import { createReadStream } from "node:fs"
import { usage } from "../shell/Failure.ts"

/** A line of a CSV file, with the names of the first line as keys. */
export type Row = Readonly<Record<string, string>>

/**
 * Returns the lines of a CSV file. Commas or semicolons separate the cells; quoted cells may hold both and line breaks,
 * and two quotes within a quoted cell mean one. Refuses a line with more cells than there are names.
 */
export const readCsv = async (path: string): Promise<ReadonlyArray<Row>> => {
  let text = ""
  for await (const chunk of createReadStream(path, "utf8")) text += chunk
  const [first, ...lines] = cellsOf(text.replace(/^\ufeff/, ""))
  if (first === undefined) throw usage(`${path} has no first line with the names of the columns`)
  const names = first.map((name) => name.trim())
  return lines.map((cells, at) => {
    if (cells.length > names.length) throw usage(`line ${at + 2} of ${path} has more cells than the first line`)
    return Object.fromEntries(names.map((name, column) => [name, (cells[column] ?? "").trim()]))
  })
}

const cellsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [head = ""] = text.split("\n", 1)
  const comma = head.includes(";") && !head.includes(",") ? ";" : ","
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${comma}\\r\\n]*))(${comma}|\\r?\\n|$)`, "gy")
  const lines: Array<Array<string>> = [[]]
  for (const [found, quoted, plain = "", end] of text.matchAll(pattern)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (found === "" || end === "") break
    if (end !== comma) lines.push([])
  }
  return lines.filter((cells) => cells.some((cell) => cell.trim() !== ""))
}
