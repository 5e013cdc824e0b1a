import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { people, tenant } from "../../erasure/Standings.ts"

/** The member who receives alerts about billing on a phone of their own, and has agreed to it. */
export const billingRecipientsTable = defineTable("billing_recipients", {
  owner: "phone-orders",
  erasure: people,
  key: ["organization_id"],
  columns: {
    organization_id: text,
    member_id: text,
    phone: text,
    consented_at: timestamptz
  }
})

/** The legal identity and contact of the business that orders numbers. */
export const businessIdentitiesTable = defineTable("business_identities", {
  owner: "phone-orders",
  erasure: tenant,
  key: ["organization_id"],
  columns: {
    organization_id: text,
    status: text,
    legal_name: text,
    tax_id: text,
    legal_phone: nullable(text),
    declared_at: timestamptz,
    approved_at: nullable(timestamptz)
  }
})

/** Orders of new numbers. */
export const phoneNumberOrdersTable = defineTable("phone_number_orders", {
  owner: "phone-orders",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    environment: textOf<EnvironmentKind>(),
    decision: textOf<"awaiting_approval" | "approved" | "declined" | "terms_changed">(),
    ddd: text,
    display_name: nullable(text),
    purpose: nullable(text),
    amount: int8,
    monthly_fee: int8,
    first_charge_at: nullable(timestamptz),
    next_charge_at: nullable(timestamptz),
    terms_version: text,
    phone_number_id: nullable(text),
    reservation_id: nullable(text),
    decided_by: nullable(text),
    decided_at: nullable(timestamptz),
    expires_at: timestamptz,
    /** When its owner takes the next step towards its number; null while there is none. */
    due_at: nullable(timestamptz),
    created_at: timestamptz,
    step: nullable(text),
    /** The failed attempts of the step. */
    step_attempts: defaulted(int4),
    step_began_at: nullable(timestamptz),
    /** The orders that the provider could not deliver; each had a name of its own. */
    failed_count: defaulted(int4),
    /** When the order was last sent; null while the provider certainly has none. */
    placed_at: nullable(timestamptz),
    provider_order_id: nullable(text),
    provider_number_id: nullable(text),
    returned_at: nullable(timestamptz),
    ended_at: nullable(timestamptz),
    error_code: nullable(text),
    error_message: nullable(text)
  }
})

/** The columns of an order that reads and decisions use. */
export const orderColumns = select(
  phoneNumberOrdersTable,
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
  "reservation_id",
  "decided_by",
  "decided_at",
  "expires_at",
  "due_at",
  "created_at"
)

/** The columns of an approved order in its owner's work. */
export const rentalColumns = select(
  phoneNumberOrdersTable,
  "environment_id",
  "id",
  "organization_id",
  "reservation_id",
  "ddd",
  "display_name",
  "phone_number_id",
  "step",
  "step_attempts",
  "step_began_at",
  "failed_count",
  "placed_at",
  "provider_order_id",
  "provider_number_id",
  "error_code",
  "error_message",
  "ended_at",
  "due_at"
)
