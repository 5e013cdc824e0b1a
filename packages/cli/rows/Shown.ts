import { writeFile } from "node:fs/promises"
import { namesForRows } from "@carteiro/lists/Columns.ts"
import { listText } from "@carteiro/lists/CsvText.ts"
import { confirm } from "../shell/Confirm.ts"
import { Failure } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted, table } from "../shell/Table.ts"
import type { BadRow, PeopleFile, Person } from "./ListFile.ts"

/** Rows of a table that are shown; the rest is counted. */
const mostShown = 20

const digitsIn = (text: string): string => text.replaceAll(/\D/g, "")

/** Returns the people whose number has other digits than the list. */
const changedNumbers = (people: ReadonlyArray<Person>): ReadonlyArray<Person> =>
  people.filter(({ phone, written }) => digitsIn(phone) !== digitsIn(written))

/** Shows which numbers were made of what the list has. */
export const showNumbers = (shell: Shell, { path, people }: PeopleFile): void => {
  // With --json the error output is the failure's document alone.
  if (shell.options.json === true) return
  const changed = changedNumbers(people)
  shell.note(`${path}: ${counted(people.length, "number")}, ${changed.length} read otherwise than written`)
  if (changed.length === 0) return
  const rows = changed.slice(0, mostShown).map(({ line, phone, written }) => [line, written, phone])
  shell.note(table(["ROW", "WRITTEN", "READ AS"], rows) + more(changed.length))
}

const more = (count: number): string => (count > mostShown ? `\nand ${count - mostShown} more` : "")

/**
 * Refuses a file with bad rows, unless they are to be skipped: then they are written into a file of their own, beside
 * the list, in its columns, so that the same command takes it once it is corrected.
 */
export const withoutBadRows = async (
  shell: Shell,
  { bad, path, phone, restPath, sheet, uses }: PeopleFile,
  options: { readonly skipBad?: boolean; readonly dryRun?: boolean }
): Promise<void> => {
  if (bad.length === 0) return
  const rows = bad.slice(0, mostShown).map(({ column, line, reason, written }) => [line, column, written, reason])
  if (shell.options.json !== true) shell.note(table(["ROW", "COLUMN", "WRITTEN", "WHY"], rows) + more(bad.length))
  if (options.skipBad !== true) throw badRows(path, bad)
  if (options.dryRun === true) return
  const lines = new Set(bad.map(({ line }) => line))
  const rest = sheet.rows.filter(({ line }) => lines.has(line)).map(({ cells }) => filled(cells, sheet.width))
  await writeFile(restPath, listText(namesForRows(sheet, uses), rest, phone))
  shell.note(`${counted(bad.length, "row")} left out and written to ${restPath}`)
}

const filled = (cells: ReadonlyArray<string>, width: number): ReadonlyArray<string> =>
  Array.from({ length: width }, (_, index) => cells[index] ?? "")

const badRows = (path: string, bad: ReadonlyArray<BadRow>): Failure => {
  const [first] = bad
  return new Failure(
    `${path}: ${counted(bad.length, "row")} cannot be used, and nothing was sent; row ${first?.line}, column ${first?.column}: ${first?.reason}`,
    {
      exitCode: 2,
      code: "bad_rows",
      details: { rows: bad },
      next: "correct them, or leave them out with --skip-bad"
    }
  )
}

/** Asks before numbers are used that were read otherwise than written; a program says `--yes`. */
export const confirmNumbers = async (
  shell: Shell,
  people: ReadonlyArray<Person>,
  about: string,
  isAgreed: boolean | undefined
): Promise<void> => {
  const changed = changedNumbers(people).length
  if (changed === 0 || isAgreed === true) return
  await confirm(shell, `${about}?`, {
    refusal: `${counted(changed, "number")} read otherwise than written, and nothing was sent`,
    next: "look at them with --dry-run, then agree with --yes"
  })
}
