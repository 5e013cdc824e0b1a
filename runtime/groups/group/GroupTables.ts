import { defaulted, defineTable, int4, int8, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Groups of the chat platform that a number made. */
export const groupsTable = defineTable("groups", {
  owner: "groups",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    phone_number_id: text,
    subject: text,
    description: nullable(text),
    status: text,
    provider_group_id: nullable(text),
    invite_link: nullable(sealed(text, "link of a group")),
    failure_code: nullable(text),
    failure_message: nullable(text),
    failure_provider: nullable(text),
    trace_id: text,
    version: defaulted(int8),
    life_state: nullable(text),
    life_due_at: nullable(timestamptz),
    life_attempts: defaulted(int4),
    life_request_id: nullable(text),
    reset_state: nullable(text),
    reset_due_at: nullable(timestamptz),
    reset_attempts: defaulted(int4),
    reset_requested_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    deleted_at: nullable(timestamptz),
    suspended_at: nullable(timestamptz),
    suspension_told_at: nullable(timestamptz)
  }
})
