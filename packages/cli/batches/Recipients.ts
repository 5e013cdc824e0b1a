import { columnNames, missingVariables } from "@carteiro/lists/Columns.ts"
import type { Carteiro } from "@carteiro/sdk"
import {
  type ListOptions,
  metadataFault,
  type PeopleFile,
  type Person,
  type RowFault,
  readPeople
} from "../rows/ListFile.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

/** The longest value of a variable. */
const longestValue = 1024

/** Reads a file of recipients, with each row checked as the API would check it for this template. */
export const readRecipients = async (
  shell: Shell,
  client: Carteiro,
  file: string,
  template: { readonly name: string; readonly language: string },
  options: ListOptions
): Promise<PeopleFile> => {
  const variables = await variablesOf(client, template)
  const read = await readPeople(shell, file, options, variables, recipientFault)
  const missing = missingVariables(read.uses, variables ?? [])
  if (missing.length > 0) {
    const columns = columnNames(read.sheet).filter((name, index) => name !== "" && read.uses[index]?.kind !== "phone")
    throw usage(
      `${template.name} needs ${(variables ?? []).join(", ")}, and ${file} has no column for ${missing.join(", ")}`,
      columns.length === 0
        ? "add a column for each"
        : `say which column it is: --map ${missing[0]}=<${columns.join("|")}>`
    )
  }
  return read
}

/**
 * Returns the variables of a template's body; undefined when its newest version is not the approved one, whose variables
 * the API alone knows.
 */
const variablesOf = async (
  client: Carteiro,
  { language, name }: { readonly name: string; readonly language: string }
): Promise<ReadonlyArray<string> | undefined> => {
  for await (const template of client.templates.list({ name, limit: 100 })) {
    if (template.name !== name || template.language !== language) continue
    if (template.version !== template.approved_version) return undefined
    const body = template.components.find(({ type }) => type === "BODY")?.text ?? undefined
    // The platform's text of an authentication template has the code in it.
    if (body === undefined) return ["1"]
    return [...new Set([...body.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, key = ""]) => key))]
  }
  return undefined
}

const recipientFault = ({ metadata, variables }: Person): RowFault | undefined => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === "") return { name, reason: `The variable ${name} is empty.` }
    if (value.length > longestValue)
      return { name, reason: `The variable ${name} is longer than ${longestValue} characters.` }
  }
  return metadataFault(metadata)
}
