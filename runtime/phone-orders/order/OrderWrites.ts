import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const table = "phone_number_orders"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "environment_id", "id")

/** Inserts an order. */
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

/** Ends an open order that a member declined or whose terms have changed; nothing is charged. M-ORD-14 */
export const closeOrder = defineUpdate({
  name: "phone_number_orders.close",
  table,
  key,
  set: { decision: "text", decided_by: "text", decided_at: "timestamptz" },
  guard: isOpen,
  returning: "t.id",
  target
})

/** Marks an open order as approved, in the commit of its number and of the held credit. M-ORD-12 */
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
