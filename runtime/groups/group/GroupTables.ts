import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { GroupFailure, GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  nullable,
  sealed,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Groups of the chat platform that a number made. */
export const groupsTable = defineTable("groups", {
  owner: "groups",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    phone_number_id: text,
    subject: text,
    description: nullable(text),
    status: textOf<typeof GroupStatus.Type>(),
    provider_group_id: nullable(text),
    invite_link: nullable(sealed(text, "link of a group")),
    failure_code: nullable(textOf<GroupFailure["code"]>()),
    failure_message: nullable(text),
    failure_provider: nullable(textOf<NonNullable<GroupFailure["provider"]>>()),
    trace_id: text,
    version: defaulted(int8),
    life_state: nullable(textOf<"queued" | "sending" | "waiting" | "unsent">()),
    life_due_at: nullable(timestamptz),
    life_attempts: defaulted(int4),
    life_request_id: nullable(text),
    reset_state: nullable(textOf<"queued" | "sending">()),
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

/** The columns of a group that its owner and reads use. */
export const groupRowColumns = select(
  groupsTable,
  "environment_id",
  "id",
  "environment",
  "phone_number_id",
  "subject",
  "description",
  "status",
  "provider_group_id",
  "invite_link",
  "failure_code",
  "failure_message",
  "failure_provider",
  "trace_id",
  "version",
  "life_state",
  "life_due_at",
  "life_attempts",
  "life_request_id",
  "reset_state",
  "reset_due_at",
  "reset_attempts",
  "reset_requested_at",
  "created_at",
  "updated_at",
  "deleted_at",
  "suspended_at"
)
