import { senderOf } from "../messages/Sender.ts"
import type { ListOptions, PeopleFile, Person } from "../rows/ListFile.ts"
import { eachOnce, openRun } from "../rows/Runs.ts"
import { confirmNumbers, showNumbers, withoutBadRows } from "../rows/Shown.ts"
import { exitCodes, Failure } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"
import { follow, sumOf } from "./Follow.ts"
import { type BatchTarget, handAll } from "./HandOver.ts"
import { readRecipients } from "./Recipients.ts"

export interface RunOptions extends ListOptions {
  readonly template: string
  readonly sender?: string
  readonly name?: string
  readonly new?: boolean
  readonly skipBad?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/**
 * Starts batches for the recipients of a file and follows them to their end. Every row is checked before the first one
 * is handed over; a file that was corrected after a part was accepted goes on with the others.
 */
export const runBatch = async (shell: Shell, file: string, options: RunOptions): Promise<void> => {
  const client = await shell.client()
  const [name = "", language = "pt_BR"] = options.template.split(":")
  const recipients = await readRecipients(shell, client, file, { name, language }, options)
  showNumbers(shell, recipients)
  await withoutBadRows(shell, recipients, options)
  const { people, repeated } = eachOnce(recipients.people)
  if (repeated > 0) shell.note(`${counted(repeated, "row")} name a customer again; the first row of each counts`)
  if (options.dryRun === true)
    return shell.result(dryRun(recipients, people), `${counted(people.length, "recipient")}; nothing was sent`)
  const sender = { type: "chatapp_phone_number", id: await senderOf(shell, client, options.sender) } as const
  const target: BatchTarget = { sender, template: { name, language }, name: options.name }
  const about = ["batches", name, language, sender.id, options.name ?? ""]
  const run = await openRun(shell, recipients.identity, about, { isNew: options.new === true, isOnce: true })
  await confirmNumbers(shell, people, `Send ${name} to ${counted(people.length, "recipient")}`, options.yes)
  const ids = await handAll(shell, client, { run, people, target, about })
  if (ids.length === 0)
    throw new Failure(`${file} has no recipient`, { exitCode: exitCodes.usage, code: "no_recipients" })
  shell.note(`Following ${ids.join(", ")}; Ctrl+C ends the following, not the sending.`)
  const ended = await follow(shell, client, ids)
  const failed = sumOf(ended, "failed_count")
  const counts = `${counted(sumOf(ended, "recipient_count"), "recipient")}: ${sumOf(ended, "sent_count")} sent, ${failed} failed`
  shell.result(ended, counts)
  if (failed > 0 || ended.some(({ status }) => status !== "completed"))
    throw new Failure(`${counted(failed, "recipient")} failed`, {
      exitCode: exitCodes.partial,
      code: "recipients_failed",
      next: `carteiro batches failures ${ended.find(({ failed_count }) => failed_count > 0)?.id ?? ended[0]?.id}`
    })
}

const dryRun = ({ bad }: PeopleFile, people: ReadonlyArray<Person>) => ({
  recipients: people.map(({ line, metadata, phone, variables, written }) => ({
    row: line,
    written,
    to: phone,
    variables,
    metadata
  })),
  bad
})
