import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

/**
 * Inserts a notice for owners and admins on the dashboard; a second notice of that kind about the same subject is
 * ignored.
 */
export const insertNotice = defineInsert({
  table: "billing_notices",
  columns: {
    organization_id: "text",
    id: "text",
    kind: "text",
    subject_id: "text",
    text: "text",
    created_at: "timestamptz"
  },
  conflict: { on: ["organization_id", "kind", "subject_id"] }
})

/** Marks a notice as dismissed by a member. */
export const dismissNotice = defineUpdate({
  name: "billing_notices.dismiss",
  table: "billing_notices",
  key: { organization_id: "text", id: "text" },
  set: { dismissed_at: "timestamptz", dismissed_by: "text" },
  where: "t.dismissed_at is null",
  target: rowOf("billing_notices", "organization_id", "id")
})
