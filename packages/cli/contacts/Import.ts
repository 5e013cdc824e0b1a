import { type Row, readCsv } from "../rows/Csv.ts"
import { openRun, patient } from "../rows/Runs.ts"
import { usage } from "../shell/Failure.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

export interface ImportOptions {
  readonly source?: string
}

/** The most rows of one call. */
const pageSize = 1000

/**
 * Opts customers in, a thousand rows a call. After an interruption it continues after the last accepted thousand. A row
 * is never sent twice, so a customer who opted out meanwhile stays opted out.
 */
export const importContacts = async (shell: Shell, file: string, options: ImportOptions): Promise<void> => {
  const rows = await readCsv(file)
  if (rows.some((row) => row.phone === undefined)) throw usage(`${file} has no column phone`)
  const run = await openRun(shell, file, "contacts", options.source ?? "")
  const client = await shell.client()
  const bar = progress(shell)
  const total = { imported: 0, skipped: 0 }
  if (run.done > 0) shell.note(`Going on behind row ${run.done}.`)
  try {
    for (let from = run.done; from < rows.length; from += pageSize) {
      const page = rows.slice(from, from + pageSize)
      const source = options.source === undefined ? {} : { source: options.source }
      const body = { rows: page.map(rowOf), ...source }
      const taken = await client.contacts.bulkImport(body, patient(shell, `carteiro-import-${run.id}-${from}`))
      total.imported += taken.imported
      total.skipped += taken.skipped
      await run.advance(from + page.length)
      bar.show(from + page.length, rows.length, `${total.imported} opted in, ${total.skipped} had before`)
    }
  } finally {
    bar.end()
  }
  await run.end()
  const told = `${counted(rows.length, "row")}: ${total.imported} opted in, ${total.skipped} had before`
  shell.result({ rows: rows.length, ...total, resumed_behind: run.done }, told)
}

const rowOf = ({ phone = "", ...rest }: Row) => {
  const metadata = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ""))
  return { phone, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
}
