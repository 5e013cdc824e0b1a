import { defaulted, defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"

/** Every opt-in and opt-out of a contact, with its source. */
export const consentEventsTable = defineTable("consent_events", {
  owner: "contacts",
  erasure: "erased",
  key: ["environment_id", "contact_id", "id"],
  columns: {
    environment_id: text,
    contact_id: text,
    id: text,
    type: text,
    source: text,
    reason: nullable(text),
    occurred_at: timestamptz
  }
})

/** Customers and their consent. */
export const contactsTable = defineTable("contacts", {
  owner: "contacts",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    customer_type: text,
    match_key: text,
    phone: text,
    profile_name: nullable(text),
    opt_in_status: text,
    source: text,
    metadata: nullable(text),
    opted_in_at: nullable(timestamptz),
    opted_out_at: nullable(timestamptz),
    last_inbound_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    revision: defaulted(int8),
    user_id: nullable(text),
    username: nullable(text)
  }
})
