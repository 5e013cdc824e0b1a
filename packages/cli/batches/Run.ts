import type { Carteiro } from "@carteiro/sdk"
import { senderOf } from "../messages/Sender.ts"
import { type Row, readCsv } from "../rows/Csv.ts"
import { fingerprint, patient } from "../rows/Runs.ts"
import { sleep } from "../shell/Clock.ts"
import { exitCodes, Failure, usage } from "../shell/Failure.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

export interface RunOptions {
  readonly template: string
  readonly sender?: string
  readonly name?: string
  readonly new?: boolean
}

/** The most recipients of one batch. */
const largest = 10_000

/** Starts batches for the recipients of a file and follows them to their end. */
export const runBatch = async (shell: Shell, file: string, options: RunOptions): Promise<void> => {
  const rows = await readCsv(file)
  if (rows.length === 0 || rows.some((row) => row.to === undefined)) throw usage(`${file} has no rows with a column to`)
  const client = await shell.client()
  const [name = "", language = "pt_BR"] = options.template.split(":")
  const sender = { type: "chatapp_phone_number", id: options.sender ?? (await senderOf(client)) } as const
  // The key makes the API answer a repeated run with the existing batch.
  const once = options.new === true ? globalThis.crypto.randomUUID() : ""
  const id = await fingerprint(shell, file, "batches", options.template, sender.id, options.name ?? "", once)
  const batches: Array<Carteiro.Batch> = []
  for (let from = 0; from < rows.length; from += largest) {
    const recipients = rows.slice(from, from + largest).map(recipientOf)
    const named = options.name === undefined ? {} : { name: options.name }
    const body: Carteiro.CreateBatch = { sender, template: { name, language }, recipients, ...named }
    batches.push(await client.batches.create(body, patient(shell, `carteiro-batch-${id}-${from}`)))
  }
  shell.note(`Following ${batches.map((batch) => batch.id).join(", ")}; Ctrl+C ends the following, not the sending.`)
  const ended = await follow(shell, client, batches)
  const failed = sum(ended, "failed_count")
  const told = `${counted(sum(ended, "recipient_count"), "recipient")}: ${sum(ended, "sent_count")} sent, ${failed} failed`
  shell.result(ended, told)
  if (failed > 0 || ended.some(({ status }) => status !== "completed"))
    throw new Failure(`${counted(failed, "recipient")} failed`, {
      exitCode: exitCodes.partial,
      code: "recipients_failed",
      next: `carteiro api get batches/${ended[0]?.id}/failures`
    })
}

const recipientOf = ({ to = "", ...variables }: Row) => ({
  to,
  ...(Object.keys(variables).length === 0 ? {} : { variables })
})

const sum = (batches: ReadonlyArray<Carteiro.Batch>, member: "recipient_count" | "sent_count" | "failed_count") =>
  batches.reduce((total, batch) => total + batch[member], 0)

const final: ReadonlySet<string> = new Set(["completed", "cancelled", "failed"])

const follow = async (shell: Shell, client: Carteiro, started: ReadonlyArray<Carteiro.Batch>) => {
  const bar = progress(shell)
  let batches = started
  try {
    for (;;) {
      batches = await Promise.all(batches.map((batch) => client.batches.get(batch.id, patient(shell))))
      const [total, sent, failed] = [
        sum(batches, "recipient_count"),
        sum(batches, "sent_count"),
        sum(batches, "failed_count")
      ]
      bar.show(Math.min(total, sent + failed), total, `${sent} sent, ${failed} failed`)
      if (batches.every(({ status }) => final.has(status))) return batches
      await sleep(1000, shell.io.signal)
      shell.io.signal.throwIfAborted()
    }
  } finally {
    bar.end()
  }
}
