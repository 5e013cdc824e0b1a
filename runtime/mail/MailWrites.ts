import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { emailsTable } from "./MailTables.ts"

/**
 * An e-mail to the owners and admins of an organization, in the commit of what it tells; a second one of the same kind about
 * the same thing is none. It leaves at once: mail goes on real time, also when a sandbox that is ahead tells of itself.
 * gaps-3 E "Failure notification"
 */
export const insertEmail = insertInto(emailsTable, {
  columns: ["organization_id", "id", "kind", "subject_id", "subject", "body", "translations", "created_at"],
  values: { due_at: "'-infinity'" },
  conflict: { on: ["organization_id", "kind", "subject_id"] },
  returning: "organization_id"
})

/** Makes it durable that an e-mail leaves; without a result it is tried again at `until`. */
export const reserveEmail = updateOf(emailsTable, {
  name: "emails.reserve",
  beside: { now: "timestamptz", until: "timestamptz" },
  values: { due_at: "r.until" },
  where: "t.due_at <= r.now",
  returning: "t.id"
})

/** Writes the result of a try; an e-mail that has ended does not change. */
export const recordEmail = updateOf(emailsTable, {
  name: "emails.record",
  set: ["status", "attempts", "due_at", "recipients", "error", "ended_at"],
  where: "t.status = 'queued'"
})
