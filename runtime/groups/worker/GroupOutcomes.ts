import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import * as Events from "@carteiro/schema/groups/GroupEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import type { MovedGroup } from "../group/GroupState.ts"

/** Returns the event of an outcome, if it has one. C-GEVT-09..12 */
export const outcomeRows = (
  outbox: Outbox["Service"],
  { group, outcome }: MovedGroup,
  now: number
): ReadonlyArray<Row> => {
  if (outcome === undefined) return []
  const event = {
    environment_id: group.environment_id,
    environment: group.environment,
    source_id: group.id,
    subject: null,
    trace_id: group.trace_id,
    at: now
  }
  const occurred_at = formatTimestamp(now)
  switch (outcome.type) {
    case "created":
      return [outbox.event(Events.GroupCreated, { ...event, data: { occurred_at } })]
    case "deleted":
      return [outbox.event(Events.GroupDeleted, { ...event, data: { occurred_at } })]
    case "invite_link_reset":
      return [outbox.event(Events.GroupInviteLinkReset, { ...event, data: { occurred_at } })]
    case "create_failed":
      return [outbox.event(Events.GroupCreateFailed, { ...event, data: { failure: outcome.failure, occurred_at } })]
    case "delete_failed":
      return [outbox.event(Events.GroupDeleteFailed, { ...event, data: { failure: outcome.failure, occurred_at } })]
    case "invite_link_reset_failed":
      return [
        outbox.event(Events.GroupInviteLinkResetFailed, { ...event, data: { failure: outcome.failure, occurred_at } })
      ]
  }
}
