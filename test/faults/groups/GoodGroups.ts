import type { Operation } from "../Log.ts"
import type { GroupCall, GroupSeen } from "./GroupsSeen.ts"

/** Groups of a run that a test may bend. */
export interface DraftGroups {
  groups: Array<GroupSeen>
  calls: Array<GroupCall>
}

/** A group of its marker. */
export const grouped = (marker: string): Operation => ({ kind: "group", marker })

/** One stands, one is gone, one was refused, and of one nobody knows. */
export const goodGroups = (): DraftGroups => ({
  groups: [
    group("a", "active"),
    group("b", "deleted"),
    group("c", "failed", "group_provider_rejected"),
    group("d", "pending", "provider_error")
  ],
  calls: [
    { action: "create", id: "grp_a", outcome: "accepted" },
    { action: "create", id: "grp_b", outcome: "accepted" },
    { action: "delete", id: "at_b", outcome: "accepted" },
    { action: "create", id: "grp_c", outcome: "refused" },
    { action: "create", id: "grp_d", outcome: "accepted" }
  ]
})

/** A group at the end, by its name. */
export const group = (name: string, status: string, code?: string): GroupSeen => ({
  id: `grp_${name}`,
  status,
  subject: name,
  provider_group_id: status === "active" || status === "deleted" ? `at_${name}` : null,
  failure: code === undefined ? null : { code }
})
