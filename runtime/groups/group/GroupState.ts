import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { GroupFailure, GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"

/** A task at the provider; instants are epoch milliseconds. */
export interface GroupJob {
  /**
   * `queued` waits for its turn; `sending` may have left; `waiting` was taken, or may have been, and waits for the
   * provider's report; `unsent` never left for want of a connection.
   */
  readonly state: "queued" | "sending" | "waiting" | "unsent"
  readonly due_at: number | null
  /** Tries that provably did not leave. */
  readonly attempts: number
}

/** The group's creation while it is pending, its deletion while it is deleting. */
export interface LifeJob extends GroupJob {
  /** The provider's name of the request. gaps-3 B "Production group calls" */
  readonly request_id: string | null
}

/** A reset of the invite link. */
export interface ResetJob extends GroupJob {
  readonly state: "queued" | "sending"
  readonly requested_at: number
}

/** A group as its number decides about it; the link is open. */
export interface GroupState {
  readonly environment_id: string
  readonly id: string
  readonly environment: EnvironmentKind
  readonly phone_number_id: string
  readonly subject: string
  readonly description: string | null
  readonly status: typeof GroupStatus.Type
  readonly provider_group_id: string | null
  readonly invite_link: string | null
  readonly failure: GroupFailure | null
  readonly trace_id: string
  /** Of the row it was read from. */
  readonly version: number
  readonly life: LifeJob | null
  readonly reset: ResetJob | null
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** A member as reads show them; epoch milliseconds. */
export interface Member {
  readonly chat_id: string
  readonly joined_at: number
}

/** A group with its members, oldest join first. */
export interface GroupDetail extends GroupState {
  readonly members: ReadonlyArray<Member>
}

/** Where a group is. */
export type GroupPlace = Pick<GroupState, "environment_id" | "id">

/** An outcome that is told, beside its `group.` prefix, and on the three failed ones why. */
export type GroupOutcome =
  | { readonly type: "created" | "deleted" | "invite_link_reset" }
  | { readonly type: "create_failed" | "delete_failed" | "invite_link_reset_failed"; readonly failure: GroupFailure }

/** Where a change brought a group, and what is told of it. */
export interface MovedGroup {
  readonly group: GroupState
  readonly outcome?: GroupOutcome | undefined
}
