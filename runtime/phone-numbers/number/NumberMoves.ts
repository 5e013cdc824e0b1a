import { noLaterThan } from "@carteiro/tables/NoLaterThan.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { numprovEnrollmentsTable, phoneNumbersTable, phoneNumberTransfersTable } from "./NumberTables.ts"

const table = "phone_numbers"
const target = rowOf(table, "id")

/**
 * SQL: the number `t` has a message that is not sent, `waiting` being a condition on rows of `messages`. Each condition
 * has an index.
 */
const waits = (condition: string): string => `exists (select 1 from messages m where m.business_id = t.id
      and m.environment_id = t.environment_id and ${condition})`

/** SQL: the number `t` has messages that are queued, held or being sent. gaps-2 K "Transfer fields" */
export const hasWaiting = `(${waits("m.due_at is not null and m.status = 'queued' and m.status_reason is null")}
    or ${waits("m.status = 'queued' and m.status_reason = 'messaging_limit_pacing' and m.due_at is null")}
    or ${waits("m.due_at is not null and m.status = 'queued' and m.status_reason is not null")}
    or ${waits("m.due_at is not null and (m.status <> 'queued' or m.status_reason is not null) and m.status = 'sending'")})`

/**
 * Moves a number to another environment, whose time is ahead by `ahead_ms`; when it has unsent messages, or another state
 * by then, nothing of the unit is written. gaps-2 K "Transfer fields"
 */
export const moveNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.move",
  set: ["updated_at"],
  beside: { target_environment_id: "text", ahead_ms: "int8" },
  values: {
    environment_id: "r.target_environment_id",
    moved_at: "r.updated_at",
    created_at: noLaterThan("t.created_at", "r.updated_at"),
    activated_at: noLaterThan("t.activated_at", "r.updated_at"),
    upstream_health_synced_at: noLaterThan("t.upstream_health_synced_at", "r.updated_at"),
    suspended_at: "t.suspended_at + r.ahead_ms * interval '1 millisecond'"
  },
  guard: `t.status in ('active', 'disconnected') and not ${hasWaiting}`,
  target
})

/** Moves the enrollment of an imported number with it. */
export const moveEnrollment = updateOf(numprovEnrollmentsTable, {
  name: "numprov_enrollments.move",
  key: ["phone_number_id"],
  set: ["environment_id"],
  beside: { at: "timestamptz" },
  values: { enrolled_at: noLaterThan("t.enrolled_at", "r.at"), ended_at: noLaterThan("t.ended_at", "r.at") },
  target: rowOf("numprov_enrollments", "phone_number_id")
})

/** Records when a number left an environment, its destination, and the reason. */
export const recordTransfer = insertInto(phoneNumberTransfersTable, {
  columns: ["environment_id", "phone_number_id", "transferred_at", "target_environment_id", "reason", "api_key_id"],
  conflict: { on: ["phone_number_id", "environment_id", "transferred_at"] }
})
