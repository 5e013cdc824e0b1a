import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const table = "phone_number_orders"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "environment_id", "id")

/** A new order. */
export const insertOrder = defineInsert({
  table,
  columns: {
    ...key,
    organization_id: "text",
    project_id: "text",
    environment: "text",
    decision: "text",
    ddd: "text",
    display_name: "text",
    purpose: "text",
    amount: "int8",
    monthly_fee: "int8",
    first_charge_at: "timestamptz",
    next_charge_at: "timestamptz",
    terms_version: "text",
    phone_number_id: "text",
    decided_at: "timestamptz",
    expires_at: "timestamptz",
    created_at: "timestamptz"
  },
  conflict: { on: ["environment_id", "id"] }
})

const isOpen = "t.decision = 'awaiting_approval' and t.expires_at > r.decided_at"

/** Somebody declined an open order, or its terms are not those of now: nothing is charged. M-ORD-14 */
export const closeOrder = defineUpdate({
  name: "phone_number_orders.close",
  table,
  key,
  set: { decision: "text", decided_by: "text", decided_at: "timestamptz" },
  guard: isOpen,
  returning: "t.id",
  target
})

/** Somebody approved an open order: its number, and the credit set aside for it, are in the same commit. M-ORD-12 */
export const approveOrder = defineUpdate({
  name: "phone_number_orders.approve",
  table,
  key,
  set: { phone_number_id: "text", reservation_id: "text", decided_by: "text", decided_at: "timestamptz" },
  values: { decision: "'approved'", step: "'order'", step_began_at: "r.decided_at", due_at: "r.decided_at" },
  guard: isOpen,
  returning: "t.id",
  target
})
