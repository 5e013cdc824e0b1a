import { defineInsert } from "../../platform/commit/TableWrite.ts"

const table = "phone_number_orders"
const key = { environment_id: "text", id: "text" } as const

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
