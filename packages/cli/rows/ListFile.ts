import { resolve } from "node:path"
import {
  type ColumnUse,
  columnNamed,
  columnNames,
  columnUses,
  peopleOf,
  phoneColumnOf
} from "@carteiro/lists/Columns.ts"
import { columnLetters, faultSentence, isListFault, type ListFault } from "@carteiro/lists/Faults.ts"
import { readSheet, type Sheet } from "@carteiro/lists/Sheet.ts"
import { isInternational, readPhone, standardRegion } from "@carteiro/spellings/Phone.ts"
import { usage } from "../shell/Failure.ts"
import { digest } from "../shell/FileNames.ts"
import { isRegularFile, readInput } from "../shell/InputFile.ts"
import type { Shell } from "../shell/Shell.ts"
import { regionFor } from "./Region.ts"

/** Options of every command that reads a list. */
export interface ListOptions {
  readonly phoneColumn?: string
  readonly region?: string
  readonly map?: ReadonlyArray<string>
}

/** One person of a list, with the number that the API gets. */
export interface Person {
  readonly line: number
  /** The number as the list has it. */
  readonly written: string
  /** `+` and digits. */
  readonly phone: string
  readonly variables: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

/** One row that is not handed over. */
export interface BadRow {
  readonly line: number
  readonly column: string
  readonly written: string
  readonly reason: string
}

/** The people of a file, and the rows that are none. */
export interface PeopleFile {
  readonly path: string
  /** Tells whether another run reads the same list: the path of a file, and the content of a pipe. */
  readonly identity: string
  /** The name of the file of the rows that are left out: beside a file, and in the working folder for a pipe. */
  readonly restPath: string
  /** The index of the column of phone numbers. */
  readonly phone: number
  readonly sheet: Sheet
  readonly uses: ReadonlyArray<ColumnUse>
  readonly people: ReadonlyArray<Person>
  readonly bad: ReadonlyArray<BadRow>
}

/** Why a row is bad, and the name of the variable or metadata that makes it so. */
export interface RowFault {
  readonly name?: string
  readonly reason: string
}

/**
 * Reads a file of people. Refuses one that cannot be read to its end. `variables` are those that a template needs, and
 * `judge` finds what else is wrong with a row.
 */
export const readPeople = async (
  shell: Shell,
  path: string,
  options: ListOptions,
  variables: ReadonlyArray<string> | undefined,
  judge: (person: Person) => RowFault | undefined
): Promise<PeopleFile> => {
  const bytes = await readInput(shell, path)
  const sheet = taken(path, readSheet(bytes, options.phoneColumn))
  const phone = phoneColumnOf(sheet, options.phoneColumn)
  if (typeof phone !== "number") throw refused(path, phone, columnNames(sheet))
  const uses = columnUses(sheet, phone, { variables, chosen: chosenColumns(sheet, options.map ?? []) })
  const people: Array<Person> = []
  const bad: Array<BadRow> = []
  const rows = taken(path, peopleOf(sheet, uses))
  const isNational = rows.some((one) => !isInternational(one.phone))
  const region = isNational || options.region !== undefined ? await regionFor(shell, options.region) : standardRegion
  for (const one of rows) {
    const reading = readPhone(one.phone, region)
    const person = { ...one, written: one.phone, phone: reading.phone ?? "" }
    const fault = reading.refusal === undefined ? judge(person) : { reason: reading.refusal.message }
    const column =
      fault?.name === undefined ? phone : uses.findIndex((use) => use?.kind !== "phone" && use?.name === fault.name)
    if (fault === undefined) people.push(person)
    else bad.push({ line: one.line, column: columnLetters(column), written: one.phone, reason: fault.reason })
  }
  const isFile = await isRegularFile(path)
  const identity = isFile ? resolve(path) : `content ${digest(bytes)}`
  const restPath = isFile ? `${path.replace(/\.(?:csv|txt)$/i, "")}.rest.csv` : "list.rest.csv"
  return { path, identity, restPath, phone, sheet, uses, people, bad }
}

/** The limits of metadata. */
const mostMetadata = 50
const longestName = 64
const metadataBytes = 16_384

/** Returns why the API would not take this metadata. */
export const metadataFault = (metadata: Readonly<Record<string, string>>): RowFault | undefined => {
  const names = Object.keys(metadata)
  const long = names.find((name) => name.length > longestName)
  if (long !== undefined) return { name: long, reason: `The name ${long} is longer than ${longestName} characters.` }
  return names.length > mostMetadata || Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes
    ? { name: names[0] ?? "", reason: `The metadata is larger than ${mostMetadata} names and 16 KiB.` }
    : undefined
}

const taken = <Read extends object>(path: string, read: Read | ListFault): Read => {
  if (isListFault(read)) throw refused(path, read)
  return read
}

const refused = (path: string, fault: ListFault, columns: ReadonlyArray<string> = []) =>
  usage(`${path}: ${faultSentence(fault)}`, nextOf(fault, columns))

const nextOf = ({ fault }: ListFault, columns: ReadonlyArray<string>): string | undefined => {
  if (fault === "no_such_column") return `one of: ${columns.join(", ")}`
  return fault === "no_phone_column" || fault === "many_phone_columns"
    ? "name the column: --phone-column <name>"
    : undefined
}

/** Reads `1=Nome` and `metadata.plan=Plano`. */
const chosenColumns = (sheet: Sheet, words: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(
    words.map((word) => {
      const at = word.indexOf("=")
      if (at < 1) throw usage(`${word} is no variable=column`)
      const column = columnNamed(sheet, word.slice(at + 1))
      if (column === undefined)
        throw usage(`the list has no column ${word.slice(at + 1)}`, `one of: ${columnNames(sheet).join(", ")}`)
      return [word.slice(0, at), column] as const
    })
  )
