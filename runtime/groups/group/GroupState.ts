import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { GroupFailure, GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"

/** A task at the provider; instants are epoch milliseconds. */
export interface GroupJob {
  /**
   * `queued`: the task waits for its turn. `sending`: the call may have been sent. `waiting`: the provider accepted it,
   * or may have, and its report is outstanding. `unsent`: no call was sent, because there was no connection.
   */
  readonly state: "queued" | "sending" | "waiting" | "unsent"
  readonly due_at: number | null
  /** The attempts that provably were not sent. */
  readonly attempts: number
}

/** The group's creation while it is pending, its deletion while it is deleting. */
export interface LifeJob extends GroupJob {
  /** The provider's id of the request. gaps-3 B "Production group calls" */
  readonly request_id: string | null
}

/** A reset of the invite link. */
export interface ResetJob extends GroupJob {
  readonly state: "queued" | "sending"
  readonly requested_at: number
}

/** A group as its number's owner decides on it, with the decrypted link. */
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
  /** The version of the row that was read. */
  readonly version: number
  readonly life: LifeJob | null
  readonly reset: ResetJob | null
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
}

/** A member as reads show it; epoch milliseconds. */
export interface Member {
  readonly chat_id: string
  readonly joined_at: number
}

/** A group with its members, oldest join first. */
export interface GroupDetail extends GroupState {
  readonly members: ReadonlyArray<Member>
  /** When the platform suspended it; null while it does not. U-SND-11 */
  readonly suspended_at: number | null
}

/** The environment and id of a group. */
export type GroupPlace = Pick<GroupState, "environment_id" | "id">

/** An outcome that an event reports, without the prefix `group.`; the three failed ones have a reason. */
export type GroupOutcome =
  | { readonly type: "created" | "deleted" | "invite_link_reset" }
  | { readonly type: "create_failed" | "delete_failed" | "invite_link_reset_failed"; readonly failure: GroupFailure }

/** A group after a change, and the outcome to report. */
export interface MovedGroup {
  readonly group: GroupState
  readonly outcome?: GroupOutcome | undefined
}
