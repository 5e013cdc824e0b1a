import { defaulted, defineTable, int4, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people, tenant } from "../../erasure/Standings.ts"

/** The member who receives alerts about billing on a phone of their own, and has agreed to it. M-ORD-27, M-ORD-28 */
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

/** The legal identity and contact of the business that orders numbers. M-ORD-28 */
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

/** Orders of new numbers. M-ORD-17 */
export const phoneNumberOrdersTable = defineTable("phone_number_orders", {
  owner: "phone-orders",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    environment: text,
    decision: text,
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
    due_at: nullable(timestamptz),
    created_at: timestamptz,
    step: nullable(text),
    step_attempts: defaulted(int4),
    step_began_at: nullable(timestamptz),
    failed_count: defaulted(int4),
    placed_at: nullable(timestamptz),
    provider_order_id: nullable(text),
    provider_number_id: nullable(text),
    returned_at: nullable(timestamptz),
    ended_at: nullable(timestamptz),
    error_code: nullable(text),
    error_message: nullable(text)
  }
})
