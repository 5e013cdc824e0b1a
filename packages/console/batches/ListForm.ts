import type { ColumnUse } from "@carteiro/lists/Columns.ts"
import { type Encoding, encodingOf, encodings, fileText } from "@carteiro/lists/FileText.ts"
import { field } from "../kit/Forms.ts"
import type { ListColumns } from "./RecipientList.ts"

/** A list as a form sends it: its text, or the bytes of a chosen file. */
export interface TypedList {
  readonly source: string | Uint8Array
  /** The text that the form shows again. */
  readonly text: string
  /** The encoding of the file that the text once was; undefined for a pasted one. */
  readonly encoding: Encoding | undefined
}

/** Reads the list of a form. A chosen file comes as base64, since only its bytes tell its encoding. */
export const typedList = (sent: URLSearchParams): TypedList => {
  const file = field(sent, "list_file")
  const text = field(sent, "list")
  if (file === "")
    return { source: text, text, encoding: encodings.find((one) => one === field(sent, "list_encoding")) }
  const source = Buffer.from(file, "base64")
  return { source, text: fileText(source) ?? "", encoding: encodingOf(source) }
}

/** Reads what a person said that the columns of a list are for; undefined before they saw them. */
export const chosenColumns = (sent: URLSearchParams): ListColumns | undefined => {
  const names = sent.getAll("column_name")
  return names.length === 0
    ? undefined
    : { names, uses: names.map((_, index) => useOf(field(sent, `column_${index}`))) }
}

/** Returns the use of a column as the value of its choice. */
export const useValue = (use: ColumnUse): string =>
  use === undefined ? "" : use.kind === "phone" ? "phone" : `${use.kind}.${use.name}`

const useOf = (value: string): ColumnUse => {
  if (value === "phone") return { kind: "phone" }
  const [, kind, name = ""] = /^(variable|metadata)\.(.+)$/s.exec(value) ?? []
  return kind === undefined || name === "" ? undefined : { kind: kind as "variable" | "metadata", name }
}
