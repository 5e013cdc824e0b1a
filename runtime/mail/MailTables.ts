import { defaulted, defineTable, int4, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../erasure/Standings.ts"

/** E-mails to the owners and admins of an organization; each is sent once. */
export const emailsTable = defineTable("emails", {
  owner: "mail",
  erasure: people,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    kind: text,
    subject_id: text,
    subject: text,
    body: text,
    status: defaulted(textOf<"queued" | "sent" | "failed">()),
    /** Tries so far that came to nothing. */
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    /** Whom it went to. */
    recipients: nullable(text),
    error: nullable(text),
    created_at: timestamptz,
    ended_at: nullable(timestamptz)
  }
})

/** The columns of an e-mail that waits. */
export const dueEmailColumns = select(emailsTable, "id", "subject", "body", "attempts", "created_at", "due_at")

/** The columns of an e-mail that people see. */
export const emailColumns = select(
  emailsTable,
  "id",
  "subject",
  "body",
  "status",
  "attempts",
  "recipients",
  "error",
  "created_at",
  "ended_at"
)
