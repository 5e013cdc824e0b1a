import * as Events from "@carteiro/schema/groups/GroupEvents.ts"
import { Effect } from "effect"
import { defineRenderer, type RenderedEvent } from "../../outbox/EventRenderers.ts"
import { GroupRepo } from "./GroupRepo.ts"
import type { GroupDetail } from "./GroupState.ts"

/** Renders each event with the group as it is now, and with the data that were stored with the change. C-GEVT-15 */
export const groupRenderers = Effect.map(GroupRepo, (repo) => {
  const rendered = <Kept extends object, Data>(
    events: ReadonlyArray<RenderedEvent<Kept>>,
    show: (group: ReturnType<typeof shown>, kept: Kept) => Data
  ) =>
    Effect.map(
      repo.among(events.map(({ environment_id, source_id }) => ({ environment_id, id: source_id }))),
      (found) => {
        const groups = new Map(found.map((group) => [group.id, group]))
        return events.map(({ kept, source_id }) => {
          const group = groups.get(source_id)
          return group === undefined ? undefined : show(shown(group), kept)
        })
      }
    )
  const succeeded = (events: ReadonlyArray<RenderedEvent<{ readonly occurred_at: string }>>) =>
    rendered(events, (group, { occurred_at }) => ({ ...group, failure: null, occurred_at }))
  const failed = (
    events: ReadonlyArray<RenderedEvent<{ readonly failure: Events.GroupFailure; readonly occurred_at: string }>>
  ) => rendered(events, (group, { failure, occurred_at }) => ({ ...group, failure, occurred_at }))
  return [
    defineRenderer(Events.GroupCreated, succeeded),
    defineRenderer(Events.GroupDeleted, succeeded),
    defineRenderer(Events.GroupInviteLinkReset, succeeded),
    defineRenderer(Events.GroupCreateFailed, failed),
    defineRenderer(Events.GroupDeleteFailed, failed),
    defineRenderer(Events.GroupInviteLinkResetFailed, failed)
  ]
})

const shown = (group: GroupDetail) => ({
  group_id: group.id,
  phone_number_id: group.phone_number_id,
  status: group.status,
  subject: group.subject,
  provider_group_id: group.provider_group_id,
  invite_link: group.invite_link
})
