import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { billingCustomersTable, billingPaymentMethodsTable } from "./CardTables.ts"

const columns = ["card", "brand", "last4", "exp_month", "exp_year", "status", "created_at", "updated_at"] as const

/** Writes a card; a deleted one is kept. C-CARD-12 */
export const saveCard = insertInto(billingPaymentMethodsTable, {
  name: "billing_payment_methods.save",
  columns: ["account_id", "id", ...columns],
  conflict: { on: ["account_id", "id"], update: columns },
  target: rowOf("billing_payment_methods", "account_id", "id")
})

/** Writes the account's customer at the processor, and its default card. */
export const saveCustomer = insertInto(billingCustomersTable, {
  name: "billing_customers.save",
  columns: ["account_id", "customer", "default_payment_method_id", "created_at"],
  conflict: { on: ["account_id"], update: ["customer", "default_payment_method_id"] },
  target: rowOf("billing_customers", "account_id")
})

/** Inserts the customer before the account's owner has any of its cards. */
export const insertCustomer = insertInto(billingCustomersTable, {
  name: "billing_customers.insert",
  columns: ["account_id", "customer", "created_at"],
  conflict: { on: ["account_id"] }
})
