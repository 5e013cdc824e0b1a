import type { Language } from "@carteiro/schema/conventions/Language.ts"
import {
  defaulted,
  defineTable,
  int4,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { people } from "../erasure/Standings.ts"

/** An e-mail in the languages that its row does not have in `subject` and `body`. */
type Translations = Partial<Readonly<Record<Language, { readonly subject: string; readonly body: string }>>>

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
    /** In English, with the next. */
    subject: text,
    body: text,
    /** In the other languages; null in rows of releases before, which go to everybody in English. */
    translations: nullable(jsonOf<Translations>()),
    status: defaulted(textOf<"queued" | "sent" | "failed">()),
    /** Tries so far that came to nothing. */
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    /** Whom it went to, also while it is tried again for the others. */
    recipients: nullable(text),
    error: nullable(text),
    created_at: timestamptz,
    ended_at: nullable(timestamptz)
  }
})

/** The columns of an e-mail that waits. */
export const dueEmailColumns = select(
  emailsTable,
  "id",
  "subject",
  "body",
  "translations",
  "recipients",
  "attempts",
  "created_at",
  "due_at"
)

/** The columns of an e-mail that people see. */
export const emailColumns = select(
  emailsTable,
  "id",
  "subject",
  "body",
  "translations",
  "status",
  "attempts",
  "recipients",
  "error",
  "created_at",
  "ended_at"
)
