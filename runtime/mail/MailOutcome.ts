import type { MailResult } from "@carteiro/provider/MailSender.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { dueEmailColumns } from "./MailTables.ts"

/** An e-mail that is due; instants are epoch milliseconds. */
export type DueEmail = Omit<SelectedRow<typeof dueEmailColumns>, "due_at">

/** The stored result of a try. */
export interface MailOutcome {
  readonly status: "queued" | "sent" | "failed"
  readonly attempts: number
  readonly due_at: number | null
  readonly error: string | null
  readonly ended_at: number | null
}

/** How long an e-mail is tried, in milliseconds. */
export const triedForMs = 3 * dayMs

/** Pause behind the so-many-th failed try: 1, 2, 4 minutes and so on, an hour at most. */
export const mailPauseMs = (attempts: number): number => Math.min(60_000 * 2 ** (attempts - 1), hourMs)

/** Where a try brings an e-mail; it ends once. gaps-3 E "Failure notification" */
export const recordTry = (email: DueEmail, result: MailResult, now: number): MailOutcome => {
  if (result._tag === "Sent") {
    return { status: "sent", attempts: email.attempts, due_at: null, error: null, ended_at: now }
  }
  const attempts = email.attempts + 1
  const isOver = result._tag === "Refused" || now - email.created_at >= triedForMs
  return isOver
    ? { status: "failed", attempts, due_at: null, error: result.reason, ended_at: now }
    : { status: "queued", attempts, due_at: now + mailPauseMs(attempts), error: result.reason, ended_at: null }
}
