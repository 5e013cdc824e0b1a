import { defaulted, defineTable, int4, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
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
    status: defaulted(text),
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    recipients: nullable(text),
    error: nullable(text),
    created_at: timestamptz,
    ended_at: nullable(timestamptz)
  }
})
