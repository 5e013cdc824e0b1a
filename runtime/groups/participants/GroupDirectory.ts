import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import type { GroupChange } from "@carteiro/schema/groups/GroupChangesApi.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { readGroup } from "../group/GroupRead.ts"
import { type GroupFilter, GroupRepo } from "../group/GroupRepo.ts"
import type { GroupDetail } from "../group/GroupState.ts"
import { ParticipantRepo } from "./ParticipantRepo.ts"

/** A group as the commands show it: whether it has an invite link, never the link. gaps-3 B "Invite link secrecy" */
export type ShownGroup = Omit<GroupEntry, "invite_link"> & { readonly has_invite_link: boolean }

/** Reads groups for the operator's commands, and joins and removals also for people. */
export class GroupDirectory extends Context.Service<
  GroupDirectory,
  {
    /** Returns groups newest first, after `before` when given. */
    list(
      environmentId: string,
      filter: GroupFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<ShownGroup>>
    find(environmentId: string, id: string): Effect.Effect<ShownGroup | undefined>
    /** Returns joins and removals of a group, the latest first. */
    changes(environmentId: string, id: string, count: number): Effect.Effect<ReadonlyArray<GroupChange>>
  }
>()("@carteiro/runtime/groups/participants/GroupDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const groups = yield* GroupRepo
      const participants = yield* ParticipantRepo
      return GroupDirectory.of({
        list: (environmentId, filter, before, count) =>
          Effect.map(
            walkOn(count, (reached, rest) => groups.list(environmentId, filter, reached ?? before, rest)),
            (rows) => rows.map(shown)
          ),
        find: (environmentId, id) =>
          parseId("grp", id)
            ? Effect.map(groups.find(environmentId, id), (group) => (group === undefined ? undefined : shown(group)))
            : Effect.succeed(undefined),
        changes: (environmentId, id, count) =>
          Effect.map(participants.latest({ environment_id: environmentId, id }, count), (rows) =>
            rows.map(({ action, at, chat_id }) => ({ chat_id, action, occurred_at: formatTimestamp(at) }))
          )
      })
    })
  )
}

const shown = (group: GroupDetail): ShownGroup => {
  const { invite_link, ...rest } = readGroup(group)
  return { ...rest, has_invite_link: invite_link !== null }
}
