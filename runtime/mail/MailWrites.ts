import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

/**
 * An e-mail to the owners and admins of an organization, in the commit of what it tells; a second one of the same kind about
 * the same thing is none. It leaves at once: mail goes on real time, also when a sandbox that is ahead tells of itself.
 * gaps-3 E "Failure notification"
 */
export const insertEmail = defineInsert({
  table: "emails",
  columns: {
    organization_id: "text",
    id: "text",
    kind: "text",
    subject_id: "text",
    subject: "text",
    body: "text",
    created_at: "timestamptz"
  },
  values: { due_at: "'-infinity'" },
  conflict: { on: ["organization_id", "kind", "subject_id"] },
  returning: "organization_id"
})

const key = { organization_id: "text", id: "text" } as const
const target = rowOf("emails", "organization_id", "id")

/** Makes it durable that an e-mail leaves; without a result it is tried again at `until`. */
export const reserveEmail = defineUpdate({
  name: "emails.reserve",
  table: "emails",
  key,
  beside: { now: "timestamptz", until: "timestamptz" },
  values: { due_at: "r.until" },
  where: "t.due_at <= r.now",
  returning: "t.id",
  target
})

/** Writes the result of a try; an e-mail that has ended does not change. */
export const recordEmail = defineUpdate({
  name: "emails.record",
  table: "emails",
  key,
  set: {
    status: "text",
    attempts: "int4",
    due_at: "timestamptz",
    recipients: "text",
    error: "text",
    ended_at: "timestamptz"
  },
  where: "t.status = 'queued'",
  target
})
