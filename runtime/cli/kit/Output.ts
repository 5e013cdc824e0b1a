import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { escapeLines, escapeValue } from "./Escapes.ts"

/** `--json`: one JSON document on stdout instead of text for people; refusals go to stderr either way. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON instead of text"), Flag.withDefault(false))
})

/** Prints the result of a command in the form that was asked for, without characters that a terminal would act on. */
export const print = Effect.fnUntraced(function* (value: object, text: string) {
  const json = yield* Json
  yield* Console.log(escapeLines(json ? JSON.stringify(value, null, 2) : text))
})

/** Names before their values, one a line; what is missing is left out. */
export const facts = (entries: Readonly<Record<string, string | number | boolean | null | undefined>>): string => {
  const known = Object.entries(entries).filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(0, ...known.map(([name]) => name.length))
  return known.map(([name, value]) => `${name.padEnd(width)}  ${escapeValue(String(value))}`).join("\n")
}

/** Rows under a heading, columns aligned. */
export const table = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
  nothing: string
): string => {
  if (rows.length === 0) return nothing
  const all = [columns, ...rows.map((row) => row.map((cell) => escapeValue(String(cell))))]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
