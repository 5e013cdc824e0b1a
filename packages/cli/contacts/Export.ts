import type { Carteiro } from "@carteiro/sdk"
import { type ExportOptions, exportRows } from "../rows/Export.ts"
import { patient } from "../rows/Runs.ts"
import type { Shell } from "../shell/Shell.ts"

export interface ContactExportOptions extends ExportOptions {
  readonly status?: "opted_in" | "opted_out" | "none"
}

/** Prints the contacts of the environment in a form that `contacts import` reads. */
export const exportContacts = async (shell: Shell, { status, ...options }: ContactExportOptions): Promise<void> => {
  const client = await shell.client()
  const query = { limit: 100, ...(status === undefined ? {} : { opt_in_status: status }) }
  const contacts: Array<Carteiro.ContactEntry> = []
  for await (const contact of client.contacts.list(query, patient(shell))) contacts.push(contact)
  // Members of metadata become columns again when the file is imported.
  const names = [...new Set(contacts.flatMap(({ metadata }) => Object.keys(metadata ?? {})))].toSorted()
  const rows = contacts.map((contact) => ({ ...known(contact), ...metadataOf(contact, names) }))
  await exportRows(shell, rows, ["phone", "opt_in_status", ...names.map(columnOf)], options)
}

const known = ({ opt_in_status, phone }: Carteiro.ContactEntry): Record<string, unknown> => ({ phone, opt_in_status })

const columnOf = (name: string): string => `metadata.${name}`

const metadataOf = ({ metadata }: Carteiro.ContactEntry, names: ReadonlyArray<string>): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [columnOf(name), metadata?.[name]]))
