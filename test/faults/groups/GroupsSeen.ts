import { Effect } from "effect"
import type { Client } from "../Client.ts"
import { listAll } from "../Reading.ts"

/** A group as the API shows it at the end. */
export interface GroupSeen {
  readonly id: string
  readonly status: string
  readonly subject: string
  readonly provider_group_id: string | null
  readonly failure: { readonly code: string } | null
}

/** A call about a group that reached the platform. `id` is ours for a create, the platform's for anything else. */
export interface GroupCall {
  readonly action: "create" | "delete" | "reset"
  readonly id: string
  readonly outcome: "accepted" | "refused" | "failed"
}

/** A call as the platform logs it: it knows no id of ours, and each group of a run has a subject of its own. */
export type LoggedGroupCall = Omit<GroupCall, "id"> & { readonly id?: string; readonly subject?: string }

/** Names the calls that create groups by our ids; one for no group of ours keeps its subject. */
const calledBy = (
  groups: ReadonlyArray<GroupSeen>,
  calls: ReadonlyArray<LoggedGroupCall>
): ReadonlyArray<GroupCall> => {
  const ours = new Map(groups.map(({ id, subject }) => [subject, id]))
  return calls.map(({ action, id, outcome, subject = "" }) => ({
    action,
    id: id ?? ours.get(subject) ?? subject,
    outcome
  }))
}

/** Groups, and what the platform was asked about them. */
export interface GroupsSeen {
  readonly groups: ReadonlyArray<GroupSeen>
  readonly calls: ReadonlyArray<GroupCall>
}

/** Looks until every group is at rest, then reads what there is. */
export const gatherGroups = Effect.fnUntraced(function* (
  client: Client,
  calls: Effect.Effect<ReadonlyArray<LoggedGroupCall>>,
  isAtRest: (group: GroupSeen) => boolean,
  tries: number
) {
  for (let attempt = 1; ; attempt++) {
    const groups = yield* listAll<GroupSeen>(client, "/v1/groups?")
    if (attempt >= tries || groups.every(isAtRest)) {
      return { groups, calls: calledBy(groups, yield* calls) } satisfies GroupsSeen
    }
    yield* Effect.sleep("1 second")
  }
})
