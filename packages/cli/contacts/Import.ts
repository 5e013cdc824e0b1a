import type { Carteiro } from "@carteiro/sdk"
import { type ListOptions, metadataFault, type Person, readPeople } from "../rows/ListFile.ts"
import { customerMark, handOver, openRun, patient } from "../rows/Runs.ts"
import { confirmNumbers, showNumbers, withoutBadRows } from "../rows/Shown.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

export interface ImportOptions extends ListOptions {
  readonly source?: string
  readonly skipBad?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** The most rows of one call. */
const pageSize = 1000

/**
 * Opts customers in, a thousand rows a call, once every row was checked. After an interruption it goes on with the
 * customers who were not accepted yet, also from a corrected file. Nobody is opted in twice by one run, so a customer
 * who opted out meanwhile stays opted out.
 */
export const importContacts = async (shell: Shell, file: string, options: ImportOptions): Promise<void> => {
  const list = await readPeople(shell, file, options, undefined, (person) => metadataFault(metadataOf(person)))
  showNumbers(shell, list)
  await withoutBadRows(shell, list, options)
  const people = list.people.filter(mayBeOptedIn)
  const left_out = list.bad.length + list.people.length - people.length
  if (options.dryRun === true)
    return shell.result(
      { rows: people.map(({ line, phone, written }) => ({ row: line, written, phone })), bad: list.bad },
      `${counted(people.length, "row")} can be imported, ${left_out} cannot; nothing was sent`
    )
  await confirmNumbers(shell, people, `Opt in ${counted(people.length, "customer")}`, options.yes)
  const about = ["contacts", options.source ?? ""]
  const run = await openRun(shell, list.identity, about, { isNew: false, isOnce: false })
  const client = await shell.client()
  const waiting = people.filter((person) => !run.accepted.has(customerMark(person)))
  const resumed = people.length - waiting.length
  if (resumed > 0) shell.note(`Going on: ${counted(resumed, "row")} of customers accepted before are left out.`)
  const bar = progress(shell)
  const total = { imported: 0, skipped: 0 }
  try {
    for (let from = 0; from < waiting.length; from += pageSize) {
      const page = waiting.slice(from, from + pageSize)
      const handing = handOver(run, page, about)
      const accepted = await client.contacts.bulkImport(bodyOf(page, options.source), patient(shell, handing.key))
      await run.accept(handing.customers)
      total.imported += accepted.imported
      total.skipped += accepted.skipped
      bar.show(from + page.length, waiting.length, `${total.imported} opted in, ${total.skipped} had before`)
    }
  } finally {
    bar.end()
  }
  await run.forget()
  const counts = `${counted(people.length, "row")}: ${total.imported} opted in, ${total.skipped} had before`
  shell.result({ rows: people.length, ...total, left_out, resumed_behind: resumed }, counts)
}

/** A list that was exported says who opted out since, and is not imported against their will. */
const mayBeOptedIn = ({ variables }: Person): boolean => ["opted_in", ""].includes(variables[statusColumn] ?? "")

const statusColumn = "opt_in_status"

const bodyOf = (page: ReadonlyArray<Person>, source: string | undefined): Carteiro.ImportContacts => ({
  rows: page.map((person) => {
    const metadata = metadataOf(person)
    return { phone: person.phone, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
  }),
  ...(source === undefined ? {} : { source })
})

/** Every other column is metadata, with or without `metadata.` before its name. */
const metadataOf = ({ metadata, variables }: Person): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(variables).filter(([name, value]) => value !== "" && name !== statusColumn)),
  ...metadata
})
