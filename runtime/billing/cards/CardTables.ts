import { defineTable, int4, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** The customer of the card processor that an account is, and its default card. */
export const billingCustomersTable = defineTable("billing_customers", {
  owner: "billing",
  erasure: people,
  key: ["account_id"],
  columns: {
    account_id: text,
    customer: text,
    default_payment_method_id: nullable(text),
    created_at: timestamptz
  }
})

/** Cards of an account at the card processor. */
export const billingPaymentMethodsTable = defineTable("billing_payment_methods", {
  owner: "billing",
  erasure: people,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    /** The processor's id of the card. */
    card: text,
    brand: nullable(text),
    last4: nullable(text),
    exp_month: nullable(int4),
    exp_year: nullable(int4),
    status: textOf<"active" | "deleted">(),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a saved card. */
export const cardColumns = select(
  billingPaymentMethodsTable,
  "id",
  "card",
  "brand",
  "last4",
  "exp_month",
  "exp_year",
  "status",
  "created_at",
  "updated_at"
)
