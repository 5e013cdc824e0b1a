import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { GroupInviteLinkResetInProgress, GroupNotActive } from "@carteiro/schema/groups/GroupErrors.ts"
import { Result } from "effect"
import type { GroupState, LifeJob, MovedGroup } from "./GroupState.ts"

/** The content of a new group. */
export type NewGroup = Pick<
  GroupState,
  "environment_id" | "id" | "environment" | "phone_number_id" | "subject" | "description" | "trace_id" | "created_at"
>

const queued = (due_at: number): LifeJob => ({ state: "queued", due_at, attempts: 0, request_id: null })

/** Returns an accepted group that is not created yet; `due_at` is when the provider is called. C-GRP-26 */
export const newGroup = (made: NewGroup, due_at: number): GroupState => ({
  ...made,
  status: "pending",
  provider_group_id: null,
  invite_link: null,
  failure: null,
  version: 1,
  life: queued(due_at),
  reset: null,
  updated_at: made.created_at,
  deleted_at: null
})

/**
 * Returns the effect of a DELETE. A failed group does not exist at the provider and is deleted at once; a deleting
 * group is sent again only when no earlier call was sent. Undefined when nothing changes. C-GRP-51..54, gaps-3 B
 * "DELETE on a failed group", "DELETE on a deleting group"
 */
export const deleteGroup = (
  group: GroupState,
  now: number,
  due_at: number
): Result.Result<MovedGroup | undefined, ApiError> => {
  switch (group.status) {
    case "pending":
      return Result.fail(new GroupNotActive())
    case "deleted":
      return Result.succeed(undefined)
    case "failed":
      return Result.succeed({ group: closed(group, now), outcome: { type: "deleted" } })
    case "active":
      return Result.succeed({
        group: { ...group, status: "deleting", failure: null, life: queued(due_at), updated_at: now }
      })
    case "deleting":
      return Result.succeed(
        group.life?.state === "unsent" ? { group: { ...group, life: queued(due_at), updated_at: now } } : undefined
      )
  }
}

/**
 * Returns the effect of a request for another link; a group has one reset at a time. C-GRP-69, C-GRP-71, gaps-3 B
 * "Reset bookkeeping"
 */
export const resetLink = (group: GroupState, now: number, due_at: number): Result.Result<MovedGroup, ApiError> => {
  if (group.status !== "active") return Result.fail(new GroupNotActive())
  if (group.reset !== null) return Result.fail(new GroupInviteLinkResetInProgress())
  const reset = { state: "queued", due_at, attempts: 0, requested_at: now } as const
  return Result.succeed({ group: { ...group, failure: null, reset, updated_at: now } })
}

/** Returns the group as deleted. */
export const closed = (group: GroupState, now: number): GroupState => ({
  ...group,
  status: "deleted",
  life: null,
  reset: null,
  updated_at: now,
  deleted_at: now
})
