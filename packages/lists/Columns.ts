import { columnLetters, type ListFault, listFault } from "./Faults.ts"
import { isPhoneLike, isSameName, phoneColumns } from "./PhoneCells.ts"
import type { Sheet } from "./Sheet.ts"

/** What a column is for: the phone number, a variable of the template, metadata, or nothing. */
export type ColumnUse =
  | { readonly kind: "phone" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "metadata"; readonly name: string }
  | undefined

/** One person of a list, as the list has it. */
export interface Listed {
  readonly line: number
  /** The number as it is written in the list. */
  readonly phone: string
  readonly variables: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

const metadataPrefix = "metadata."

/** Returns the names of the columns; a list without them has the letters that a spreadsheet shows. */
export const columnNames = ({ names, width }: Sheet): ReadonlyArray<string> =>
  names ?? Array.from({ length: width }, (_, index) => columnLetters(index))

/** Returns the index of the column of phone numbers, or why there is none. */
export const phoneColumnOf = (sheet: Sheet, wanted?: string): number | ListFault => {
  const names = columnNames(sheet)
  if (wanted !== undefined) return columnNamed(sheet, wanted) ?? listFault("no_such_column", { names: [wanted] })
  if (sheet.names === undefined) return Math.max(0, sheet.rows[0]?.cells.findIndex(isPhoneLike) ?? 0)
  const [index, ...others] = phoneColumns(names)
  if (index === undefined) return listFault("no_phone_column", { names: names.filter((name) => name !== "") })
  return others.length === 0
    ? index
    : listFault("many_phone_columns", { names: [index, ...others].map((one) => names[one] ?? "") })
}

/** Returns the index of a column by its name, else by a name that differs in capitals and accents alone, else by its letters. */
export const columnNamed = (sheet: Sheet, name: string): number | undefined => {
  const names = columnNames(sheet)
  const index = names.indexOf(name)
  if (index >= 0) return index
  const alike = names.flatMap((one, at) => (one !== "" && isSameName(one, name) ? [at] : []))
  if (alike.length === 1) return alike[0]
  const byLetters = names.findIndex((_, at) => columnLetters(at) === name.toUpperCase())
  return byLetters >= 0 ? byLetters : undefined
}

/** What is wanted of the columns beside the phone number. */
export interface WantedColumns {
  /** The variables that a template needs; undefined makes each column one. */
  readonly variables?: ReadonlyArray<string> | undefined
  /** What a person said that columns are for: by `1`, `first_name` or `metadata.order` the index of the column. */
  readonly chosen?: ReadonlyMap<string, number> | undefined
}

/**
 * Returns what each column is for: as a person chose, else by its name. `metadata.…` is metadata, the name of a variable
 * that variable, and a column that is neither is left out. Without names the columns beside the phone number are the
 * variables in their order.
 */
export const columnUses = (sheet: Sheet, phone: number, wanted: WantedColumns = {}): ReadonlyArray<ColumnUse> => {
  const { chosen = new Map<string, number>(), variables } = wanted
  const names = columnNames(sheet)
  let position = 0
  return Array.from({ length: sheet.width }, (_, index): ColumnUse => {
    if (index === phone) return { kind: "phone" }
    position++
    const target = [...chosen].find(([, column]) => column === index)?.[0]
    if (target !== undefined) return useNamed(target)
    const name = sheet.names === undefined ? (variables ? variables[position - 1] : String(position)) : names[index]
    if (name === undefined || name === "") return undefined
    const use = useNamed(name)
    if (variables === undefined || use?.kind !== "variable") return use
    const variable = variables.find((one) => one === name) ?? variables.find((one) => isSameName(one, name))
    return variable === undefined || chosen.has(variable) ? undefined : { kind: "variable", name: variable }
  })
}

/**
 * Returns names under which rows of a list are read again for the same: its own, and for a list without them what its
 * columns are for.
 */
export const namesForRows = (sheet: Sheet, uses: ReadonlyArray<ColumnUse>): ReadonlyArray<string> =>
  sheet.names ??
  uses.map((use, index) => {
    if (use === undefined) return `column ${columnLetters(index)}`
    return use.kind === "phone" ? "phone" : `${use.kind === "metadata" ? metadataPrefix : ""}${use.name}`
  })

const useNamed = (name: string): ColumnUse =>
  name.startsWith(metadataPrefix)
    ? { kind: "metadata", name: name.slice(metadataPrefix.length) }
    : { kind: "variable", name }

/** Returns the variables of a template that no column is for. */
export const missingVariables = (
  uses: ReadonlyArray<ColumnUse>,
  variables: ReadonlyArray<string>
): ReadonlyArray<string> =>
  variables.filter((variable) => !uses.some((use) => use?.kind === "variable" && use.name === variable))

/** Returns the people of a list, or the columns that are for the same. */
export const peopleOf = (sheet: Sheet, uses: ReadonlyArray<ColumnUse>): ReadonlyArray<Listed> | ListFault => {
  const keys = uses.map((use) => use && `${use.kind} ${use.kind === "phone" ? "" : use.name}`)
  const twice = keys.findIndex((key, index) => key !== undefined && keys.indexOf(key) !== index)
  const use = uses[twice]
  if (use !== undefined)
    return listFault("same_name", { line: 1, column: twice, names: [use.kind === "phone" ? "phone" : use.name] })
  return sheet.rows.map(({ cells, line }) => {
    const values = (kind: "variable" | "metadata") =>
      Object.fromEntries(
        uses.flatMap((one, index) => (one?.kind === kind ? [[one.name, cells[index] ?? ""] as const] : []))
      )
    const metadata = Object.fromEntries(Object.entries(values("metadata")).filter(([, value]) => value !== ""))
    const phone = uses.findIndex((one) => one?.kind === "phone")
    return { line, phone: cells[phone] ?? "", variables: values("variable"), metadata }
  })
}
