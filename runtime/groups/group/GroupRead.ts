import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import type { GroupDetail } from "./GroupState.ts"

/** Returns the group as reads show it. Document 3, "Group" */
export const readGroup = (group: GroupDetail): GroupEntry => ({
  id: group.id,
  object: "group",
  status: group.status,
  environment: group.environment,
  phone_number_id: group.phone_number_id,
  subject: group.subject,
  description: group.description,
  join_approval_mode: "auto_approve",
  provider_group_id: group.provider_group_id,
  invite_link: group.invite_link,
  participants: group.members.map(({ chat_id, joined_at }) => ({ chat_id, joined_at: formatTimestamp(joined_at) })),
  participant_count: group.members.length,
  failure: group.failure,
  created_at: formatTimestamp(group.created_at),
  updated_at: formatTimestamp(group.updated_at),
  deleted_at: formatTimestampOrNull(group.deleted_at),
  ...(group.suspended_at !== null && { suspended_at: formatTimestamp(group.suspended_at) })
})
