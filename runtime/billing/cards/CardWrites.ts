import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"

const columns = {
  card: "text",
  brand: "text",
  last4: "text",
  exp_month: "int4",
  exp_year: "int4",
  status: "text",
  created_at: "timestamptz",
  updated_at: "timestamptz"
} as const

/** Writes a card; a deleted one is kept. C-CARD-12 */
export const saveCard = defineInsert({
  name: "billing_payment_methods.save",
  table: "billing_payment_methods",
  columns: { account_id: "text", id: "text", ...columns },
  conflict: { on: ["account_id", "id"], update: Object.keys(columns) },
  target: rowOf("billing_payment_methods", "account_id", "id")
})

/** Writes the account's customer at the processor, and its default card. */
export const saveCustomer = defineInsert({
  name: "billing_customers.save",
  table: "billing_customers",
  columns: { account_id: "text", customer: "text", default_payment_method_id: "text", created_at: "timestamptz" },
  conflict: { on: ["account_id"], update: ["customer", "default_payment_method_id"] },
  target: rowOf("billing_customers", "account_id")
})

/** Inserts the customer before the account's owner has any of its cards. */
export const insertCustomer = defineInsert({
  name: "billing_customers.insert",
  table: "billing_customers",
  columns: { account_id: "text", customer: "text", created_at: "timestamptz" },
  conflict: { on: ["account_id"] }
})
