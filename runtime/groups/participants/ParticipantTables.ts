import { bool, defaulted, defineTable, int8, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Whether a number may make groups, as the platform said last. */
export const groupEligibilityTable = defineTable("group_eligibility", {
  owner: "groups",
  erasure: ids,
  key: ["environment_id", "phone_number_id"],
  columns: {
    environment_id: text,
    phone_number_id: text,
    environment: text,
    status: text,
    reasons: text,
    checked_at: nullable(timestamptz),
    check_requested_at: nullable(timestamptz),
    version: defaulted(int8),
    check_state: nullable(text),
    check_queued_at: nullable(timestamptz),
    check_answers: nullable(timestamptz),
    check_due_at: nullable(timestamptz)
  }
})

/** The present members of a group. */
export const groupParticipantsTable = defineTable("group_participants", {
  owner: "groups",
  erasure: "erased",
  key: ["environment_id", "group_id", "chat_id"],
  columns: {
    environment_id: text,
    group_id: text,
    chat_id: text,
    is_member: bool,
    joined_at: nullable(timestamptz),
    joined_told: nullable(int8),
    latest_at: timestamptz
  }
})

/** Every distinct join and removal, so that one that is reported twice is recorded once. */
export const groupParticipationsTable = defineTable("group_participations", {
  owner: "groups",
  erasure: "erased",
  key: ["environment_id", "group_id", "chat_id", "action", "occurred_at"],
  columns: {
    environment_id: text,
    group_id: text,
    chat_id: text,
    action: text,
    occurred_at: timestamptz
  }
})
