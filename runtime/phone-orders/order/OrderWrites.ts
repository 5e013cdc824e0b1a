import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { phoneNumberOrdersTable } from "./OrderTables.ts"

/** Inserts an order. */
export const insertOrder = insertInto(phoneNumberOrdersTable, {
  columns: [
    "environment_id",
    "id",
    "organization_id",
    "project_id",
    "environment",
    "decision",
    "ddd",
    "display_name",
    "purpose",
    "amount",
    "monthly_fee",
    "first_charge_at",
    "next_charge_at",
    "terms_version",
    "phone_number_id",
    "decided_at",
    "expires_at",
    "created_at"
  ],
  conflict: { on: ["environment_id", "id"] }
})

const isOpen = "t.decision = 'awaiting_approval' and t.expires_at > r.decided_at"

/** Ends an open order that a member declined or whose terms have changed; nothing is charged. M-ORD-14 */
export const closeOrder = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.close",
  set: ["decision", "decided_by", "decided_at"],
  guard: isOpen,
  returning: "t.id"
})

/** Marks an open order as approved, in the commit of its number and of the held credit. M-ORD-12 */
export const approveOrder = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.approve",
  set: ["phone_number_id", "reservation_id", "decided_by", "decided_at"],
  values: { decision: "'approved'", step: "'order'", step_began_at: "r.decided_at", due_at: "r.decided_at" },
  guard: isOpen,
  returning: "t.id"
})
