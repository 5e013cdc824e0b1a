import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { groupsTable } from "./GroupTables.ts"

const fixed = {
  environment: "text",
  phone_number_id: "text",
  subject: "text",
  description: "text",
  trace_id: "text",
  created_at: "timestamptz"
} as const
const moving = [
  "status",
  "provider_group_id",
  "invite_link",
  "failure_code",
  "failure_message",
  "failure_provider",
  "life_state",
  "life_due_at",
  "life_attempts",
  "life_request_id",
  "reset_state",
  "reset_due_at",
  "reset_attempts",
  "reset_requested_at",
  "updated_at",
  "deleted_at"
] as const

/** Inserts an accepted group; a repeated call of one request makes one group. */
export const insertGroup = insertInto(groupsTable, {
  columns: [
    "environment_id",
    "id",
    "environment",
    "phone_number_id",
    "subject",
    "description",
    "trace_id",
    "created_at",
    ...moving,
    "version"
  ],
  conflict: { on: ["environment_id", "id"] }
})

/** Writes a changed group; when its row changed since the decision, nothing of the unit is written. */
export const saveGroup = updateOf(groupsTable, {
  name: "groups.save",
  set: moving,
  beside: { ...fixed, version: "int8" },
  values: { version: "t.version + 1" },
  guard: "t.version = r.version"
})

/** Records a suspension or its end. The instants are the platform's, so that reports may come in any order. U-SND-11 */
export const suspendGroup = updateOf(groupsTable, {
  name: "groups.suspend",
  set: ["suspended_at", "suspension_told_at"],
  where: "coalesce(t.suspension_told_at <= r.suspension_told_at, true)"
})
