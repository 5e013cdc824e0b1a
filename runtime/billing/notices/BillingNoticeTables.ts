import { bool, defineTable, int8, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Notices of the console to owners and admins, until one of them dismisses it. */
export const billingNoticesTable = defineTable("billing_notices", {
  owner: "billing",
  erasure: people,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    kind: text,
    /** The id of its subject, such as a top-up. */
    subject_id: text,
    text: text,
    /** The amount in 1/10,000 BRL; with the next two the values of `text`. */
    amount: nullable(int8),
    /** Why it happened, or what followed. */
    outcome: nullable(text),
    simulated: nullable(bool),
    created_at: timestamptz,
    dismissed_at: nullable(timestamptz),
    dismissed_by: nullable(text)
  }
})

/** The columns of a notice that the console shows. */
export const noticeColumns = select(
  billingNoticesTable,
  "id",
  "kind",
  "subject_id",
  "text",
  "amount",
  "outcome",
  "simulated",
  "created_at"
)
