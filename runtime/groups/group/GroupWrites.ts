import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const key = { environment_id: "text", id: "text" } as const
const fixed = {
  environment: "text",
  phone_number_id: "text",
  subject: "text",
  description: "text",
  trace_id: "text",
  created_at: "timestamptz"
} as const
const moving = {
  status: "text",
  provider_group_id: "text",
  invite_link: "bytea",
  failure_code: "text",
  failure_message: "text",
  failure_provider: "text",
  life_state: "text",
  life_due_at: "timestamptz",
  life_attempts: "int4",
  life_request_id: "text",
  reset_state: "text",
  reset_due_at: "timestamptz",
  reset_attempts: "int4",
  reset_requested_at: "timestamptz",
  updated_at: "timestamptz",
  deleted_at: "timestamptz"
} as const

/** Inserts an accepted group; a repeated call of one request makes one group. */
export const insertGroup = defineInsert({
  table: "groups",
  columns: { ...key, ...fixed, ...moving, version: "int8" },
  conflict: { on: ["environment_id", "id"] }
})

/** Writes a changed group; when its row changed since the decision, nothing of the unit is written. */
export const saveGroup = defineUpdate({
  name: "groups.save",
  table: "groups",
  key,
  set: moving,
  beside: { ...fixed, version: "int8" },
  values: { version: "t.version + 1" },
  guard: "t.version = r.version",
  target: rowOf("groups", "environment_id", "id")
})

/** Records a suspension or its end. The instants are the platform's, so that reports may come in any order. U-SND-11 */
export const suspendGroup = defineUpdate({
  name: "groups.suspend",
  table: "groups",
  key,
  set: { suspended_at: "timestamptz", suspension_told_at: "timestamptz" },
  where: "coalesce(t.suspension_told_at <= r.suspension_told_at, true)",
  target: rowOf("groups", "environment_id", "id")
})
