import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { billingNoticesTable } from "./BillingNoticeTables.ts"

/**
 * Inserts a notice for owners and admins on the dashboard; a second notice of that kind about the same subject is
 * ignored.
 */
export const insertNotice = insertInto(billingNoticesTable, {
  columns: ["organization_id", "id", "kind", "subject_id", "text", "amount", "outcome", "simulated", "created_at"],
  conflict: { on: ["organization_id", "kind", "subject_id"] }
})

/** Marks a notice as dismissed by a member. */
export const dismissNotice = updateOf(billingNoticesTable, {
  name: "billing_notices.dismiss",
  set: ["dismissed_at", "dismissed_by"],
  where: "t.dismissed_at is null"
})
