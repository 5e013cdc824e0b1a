import type { Evidence } from "../Evidence.ts"
import type { GroupCall, GroupSeen } from "../groups/GroupsSeen.ts"
import { callsOf, fields } from "../Log.ts"

/** Every group that was answered is there, once, under one id. C-GRP-33, C-GRP-34 */
export const groupsAreKept = ({ entries, groups: { groups } }: Evidence): ReadonlyArray<string> => {
  const stored = Map.groupBy(groups, ({ subject }) => subject)
  const lost = callsOf(entries, "group").flatMap(({ end, operation: { marker } }) => {
    if (end?.phase !== "ok") return []
    const { id } = fields(end.text)
    return stored.get(marker)?.some((group) => group.id === id) ? [] : [`${id} (${marker}) is gone`]
  })
  const doubled = [...stored].flatMap(([marker, some]) =>
    some.length === 1 ? [] : [`${marker} was asked for under one key and is there ${some.length} times`]
  )
  return [...new Set(lost), ...doubled]
}

/** Calls about groups of one number that may be on the wire at once, of which nobody knows after a crash. */
const mostOnTheWire = 2

/** Whether nothing is to come for a group that can be known. */
export const isAtRest = ({ failure, status }: GroupSeen): boolean =>
  status === "active" || status === "failed" || status === "deleted" || failure?.code === "provider_error"

/**
 * Every group comes to rest, but for those whose call was on the wire when something broke it: nothing is guessed of them.
 * C-GRP-43, C-GRP-58
 */
export const groupsRest = ({ entries, groups: { groups } }: Evidence): ReadonlyArray<string> => {
  const broken = entries.filter((entry) => entry.phase === "fault" && entry.stage === "begin")
  const left = groups.filter((group) => !isAtRest(group))
  return left.length <= broken.length * mostOnTheWire
    ? []
    : left.map(({ id, status }) => `${id} rests as ${status} after ${broken.length} faults`)
}

/** A create is repeated only after the platform said that it did nothing. C-GRP-43 */
export const groupsAreCreatedOnce = ({ groups: { calls } }: Evidence): ReadonlyArray<string> =>
  [...Map.groupBy(creates(calls), ({ id }) => id)].flatMap(([id, some]) =>
    some.slice(0, -1).every(({ outcome }) => outcome === "failed")
      ? []
      : [`${id} was created ${some.length} times: ${some.map(({ outcome }) => outcome).join(", ")}`]
  )

/** The platform hears of stored groups alone. */
export const createdGroupsAreStored = ({ groups: { calls, groups } }: Evidence): ReadonlyArray<string> => {
  const stored = new Set(groups.map(({ id }) => id))
  return creates(calls).flatMap(({ id }) => (stored.has(id) ? [] : [`${id} is at the platform and not here`]))
}

/** No outcome is invented: what stands, went or failed here did so at the platform. C-GRP-40, C-GRP-41, C-GRP-56 */
export const groupsStandAsThePlatformSays = ({ groups: { calls, groups } }: Evidence): ReadonlyArray<string> => {
  const took = (action: GroupCall["action"]) =>
    new Set(calls.flatMap((call) => (call.action === action && call.outcome === "accepted" ? [call.id] : [])))
  const [created, removed] = [took("create"), took("delete")]
  return groups.flatMap(({ failure, id, provider_group_id, status }) => {
    switch (status) {
      case "active":
        return created.has(id) && provider_group_id !== null ? [] : [`${id} is active, and the platform never made it`]
      case "deleted":
        // One that the platform's report had refused is nowhere there: it is deleted here alone.
        if (provider_group_id === null && failure?.code === "group_provider_rejected") return []
        return removed.has(provider_group_id ?? "") ? [] : [`${id} is deleted, and still at the platform`]
      case "failed":
        // The report that follows a call that was taken refuses as well.
        return failure?.code === "group_provider_rejected" || !created.has(id)
          ? []
          : [`${id} failed with ${failure?.code}, and the platform made it`]
      default:
        return []
    }
  })
}

const creates = (calls: ReadonlyArray<GroupCall>) => calls.filter(({ action }) => action === "create")
