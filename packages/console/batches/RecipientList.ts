import {
  type ColumnUse,
  columnNames,
  type Listed,
  missingVariables,
  peopleOf,
  phoneColumnOf
} from "@carteiro/lists/Columns.ts"
import { isListFault, type ListFault } from "@carteiro/lists/Faults.ts"
import { readSheet, type Sheet } from "@carteiro/lists/Sheet.ts"
import type { BatchRecipientInput } from "@carteiro/schema/batches/CreateBatch.ts"
import { type PhoneRefusal, readPhone } from "@carteiro/spellings/Phone.ts"
import { type Html, html } from "../kit/Html.ts"
import { faultText } from "./ListFaults.ts"
import { proposedUses } from "./ProposedColumns.ts"

/** A recipient of a list, with the number of its row as a spreadsheet shows it. */
export interface ListedRecipient {
  readonly row: number
  /** The phone number as the list has it. */
  readonly written: string
  readonly recipient: BatchRecipientInput
}

/** A row whose phone number is none. */
export interface BadRecipient {
  readonly row: number
  readonly written: string
  readonly refusal: PhoneRefusal
  readonly values: Pick<BatchRecipientInput, "variables" | "metadata">
}

/** The columns of a list by their names, and what each is for. */
export interface ListColumns {
  readonly names: ReadonlyArray<string>
  readonly uses: ReadonlyArray<ColumnUse>
}

/** Separator, encoding and columns as they were read, so that a person sees whether they were meant so. */
export interface ListReport {
  readonly separator: string
  /** Whether its first row names the columns. */
  readonly hasNames: boolean
  readonly rows: number
  /** The first values of each column. */
  readonly samples: ReadonlyArray<ReadonlyArray<string>>
}

/** The recipients of a list, or why it cannot be read. */
export interface ReadList {
  readonly recipients: ReadonlyArray<ListedRecipient>
  readonly bad: ReadonlyArray<BadRecipient>
  /** Undefined for a list whose columns are not known. */
  readonly columns?: ListColumns | undefined
  readonly report?: ListReport
  readonly error?: Html
}

/** How a list is read. */
export interface ListReading {
  /** The variables of the template. */
  readonly variables: ReadonlyArray<string>
  /** The region of numbers without `+` or `00`. */
  readonly region: string
  /** What a person said that each column is for, by the names of the columns that they saw. */
  readonly chosen?: ListColumns | undefined
}

/**
 * Reads a list as a spreadsheet saves it. A person may say what its columns are for; otherwise their names say it. Phone
 * numbers are made international in the region. Refuses a list that cannot be read to its end.
 */
export const readList = (source: string | Uint8Array, reading: ListReading): ReadList => {
  const sheet = readSheet(source)
  if (isListFault(sheet)) return refused(sheet)
  return { ...readRows(sheet, reading), report: reportOn(sheet) }
}

/** Values of a column that its report shows. */
const mostSamples = 3

const reportOn = ({ names, rows, separator, width }: Sheet): ListReport => ({
  separator,
  hasNames: names !== undefined,
  rows: rows.length,
  samples: Array.from({ length: width }, (_, column) =>
    rows
      .map(({ cells }) => cells[column] ?? "")
      .filter((cell) => cell !== "")
      .slice(0, mostSamples)
  )
})

const readRows = (sheet: Sheet, reading: ListReading): ReadList => {
  const names = columnNames(sheet)
  const uses = usesOf(sheet, reading)
  if (isListFault(uses))
    return { ...refused(uses), columns: { names, uses: proposedUses(sheet, undefined, reading.variables) } }
  const columns = { names, uses }
  if (!uses.some((use) => use?.kind === "phone"))
    return { ...nobody, columns, error: html`No column is for the phone number.` }
  const [missing] = missingVariables(uses, reading.variables)
  if (missing !== undefined)
    return { ...nobody, columns, error: html`No column is for the variable ${missing}. Choose one above.` }
  const people = peopleOf(sheet, uses)
  if (isListFault(people)) return { ...refused(people), columns }
  return { ...readNumbers(people, reading.region), columns }
}

const nobody = { recipients: [], bad: [] }

const refused = (fault: ListFault): ReadList => ({ ...nobody, error: faultText(fault) })

const usesOf = (sheet: Sheet, { chosen, variables }: ListReading): ReadonlyArray<ColumnUse> | ListFault => {
  const names = columnNames(sheet)
  if (chosen !== undefined && chosen.names.join("\n") === names.join("\n")) return chosen.uses
  const phone = phoneColumnOf(sheet)
  return typeof phone === "number" ? proposedUses(sheet, phone, variables) : phone
}

const readNumbers = (people: ReadonlyArray<Listed>, region: string): ReadList => {
  const recipients: Array<ListedRecipient> = []
  const bad: Array<BadRecipient> = []
  for (const { line: row, metadata, phone: written, variables } of people) {
    const { phone, refusal } = readPhone(written, region)
    if (refusal !== undefined) bad.push({ row, written, refusal, values: { variables, metadata } })
    else
      recipients.push({
        row,
        written,
        recipient: {
          to: phone,
          ...(Object.keys(variables).length > 0 && { variables }),
          ...(Object.keys(metadata).length > 0 && { metadata })
        }
      })
  }
  return { recipients, bad }
}
