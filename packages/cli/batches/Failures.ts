import type { Carteiro } from "@carteiro/sdk"
import { type ExportOptions, exportRows } from "../rows/Export.ts"
import { patient } from "../rows/Runs.ts"
import type { Shell } from "../shell/Shell.ts"

const columns = [
  "to",
  "message_id",
  "error_code",
  "error_message",
  "guard_reason",
  "next_allowed_at",
  "failed_at"
] as const

export type FailuresOptions = ExportOptions

/** Prints whom a batch failed for, and why. */
export const failures = async (shell: Shell, id: string, options: FailuresOptions): Promise<void> => {
  const client = await shell.client()
  const rows: Array<Carteiro.BatchFailure> = []
  for await (const failure of client.batches.failures(id, { limit: 100 }, patient(shell))) rows.push(failure)
  await exportRows(shell, rows, columns, options)
}
