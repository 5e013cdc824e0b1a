import type { OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import {
  defaulted,
  defineTable,
  int8,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"

/** Every opt-in and opt-out of a contact, with its source. */
export const consentEventsTable = defineTable("consent_events", {
  owner: "contacts",
  erasure: "erased",
  key: ["environment_id", "contact_id", "id"],
  columns: {
    environment_id: text,
    contact_id: text,
    id: text,
    type: textOf<"opted_in" | "opted_out">(),
    source: text,
    reason: nullable(text),
    occurred_at: timestamptz
  }
})

/** Customers and their consent; instants are epoch milliseconds. */
export const contactsTable = defineTable("contacts", {
  owner: "contacts",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    customer_type: text,
    match_key: text,
    /** `+digits`; empty while the customer hides it. */
    phone: text,
    profile_name: nullable(text),
    opt_in_status: textOf<OptInStatus>(),
    source: text,
    metadata: nullable(jsonOf<Metadata>()),
    opted_in_at: nullable(timestamptz),
    opted_out_at: nullable(timestamptz),
    last_inbound_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    /** Increases with every change of the row. */
    revision: defaulted(int8),
    /** The platform's present id of the customer, and their username; null where no notice named them. */
    user_id: nullable(text),
    username: nullable(text)
  }
})

/** The columns of a contact that reads and rules use. */
export const contactColumns = select(
  contactsTable,
  "id",
  "match_key",
  "phone",
  "user_id",
  "username",
  "profile_name",
  "opt_in_status",
  "source",
  "metadata",
  "opted_in_at",
  "opted_out_at",
  "last_inbound_at",
  "created_at",
  "updated_at",
  "revision"
)

/** The columns of a contact by which a name is found. */
export const namedColumns = select(contactsTable, "environment_id", "id", "customer_type", "phone", "profile_name")

/** The columns of a choice that an export shows. */
export const consentColumns = select(consentEventsTable, "id", "type", "source", "reason", "occurred_at")
