import type { GroupFailure } from "@carteiro/schema/groups/GroupEvents.ts"
import { closed } from "../group/GroupLife.ts"
import type { GroupOutcome, GroupState, MovedGroup } from "../group/GroupState.ts"

/** The result of a provider call for a group's creation, deletion or link. */
export type CallResult =
  /** The sandbox simulates the call. */
  | { readonly _tag: "Simulated"; readonly provider_group_id: string; readonly invite_link: string }
  /** The provider accepted it and reports later under this id; a deletion without one by the group's id. U-GRP-01 */
  | { readonly _tag: "Taken"; readonly request_id: string | null }
  /** The response to a reset. */
  | { readonly _tag: "Link"; readonly invite_link: string }
  /** Definitely refused, with the provider's message. */
  | { readonly _tag: "Refused"; readonly message: string }
  /** Provably not sent: no connection, or a server that answered as overloaded or failing. */
  | { readonly _tag: "NotSent" }
  /** The call may have arrived. */
  | { readonly _tag: "Unknown" }
  /** No call was sent: number, eligibility or connection rule it out. */
  | { readonly _tag: "RuledOut"; readonly code: RuledOut }

export type RuledOut = "sender_phone_number_unavailable" | "group_phone_number_not_eligible" | "provider_error"

/** A provider's report about an accepted request. gaps-3 B "Production group calls" */
export type GroupReport =
  | { readonly _tag: "Created"; readonly provider_group_id: string; readonly invite_link: string }
  | { readonly _tag: "Deleted" }
  | { readonly _tag: "Refused"; readonly message: string }

const sentences: Record<RuledOut, string> = {
  sender_phone_number_unavailable: "The phone number cannot host a group any more.",
  group_phone_number_not_eligible: "The phone number is not eligible for groups.",
  provider_error: "The provider could not be reached through a connection of this environment."
}
const ruledOut = (code: RuledOut): GroupFailure => ({ code, message: sentences[code], provider: null })
const rejected = (message: string): GroupFailure => ({ code: "group_provider_rejected", message, provider: "upstream" })
const doubtful: GroupFailure = {
  code: "provider_error",
  message: "The provider's answer is not known.",
  provider: "upstream"
}

/** The pauses before a call that was not sent is retried, in milliseconds. gaps-2 E "Retry policy" */
const pauses = [1000, 2000, 4000, 8000, 16_000] as const

/** The time after which an unfinished reset is given up, in milliseconds. gaps-3 B "Reset bookkeeping" */
export const resetLimitMs = 10 * 60_000

/**
 * Returns the effect of a response, or of its absence, on a group that is being created or deleted. C-GRP-39..43,
 * C-GRP-55..59
 */
export const lifeEnded = (group: GroupState, result: CallResult, now: number): MovedGroup | undefined => {
  const { life, status } = group
  if (life === null) return undefined
  if (status === "pending") return creationEnded(group, result, now)
  return status === "deleting" ? deletionEnded(group, result, now) : undefined
}

const creationEnded = (group: GroupState, result: CallResult, now: number): MovedGroup => {
  switch (result._tag) {
    case "Simulated":
      return created(group, result, now)
    case "Taken":
      return { group: waiting(group, result.request_id) }
    case "Refused":
      return failed(group, rejected(result.message), now)
    case "RuledOut":
      return failed(group, ruledOut(result.code), now)
    case "NotSent": {
      const again = later(group, now)
      return again === undefined ? failed(group, ruledOut("provider_error"), now) : { group: again }
    }
    case "Link":
    case "Unknown":
      return { group: waiting(group, null) }
  }
}

const deletionEnded = (group: GroupState, result: CallResult, now: number): MovedGroup => {
  switch (result._tag) {
    case "Simulated":
      return { group: closed(group, now), outcome: { type: "deleted" } }
    case "Taken":
      return { group: waiting(group, result.request_id) }
    case "Refused":
      return kept(group, rejected(result.message), now)
    case "RuledOut":
      return { group: unsent(group) }
    case "NotSent":
      return { group: later(group, now) ?? unsent(group) }
    case "Link":
    case "Unknown":
      return { group: { ...waiting(group, null), failure: doubtful, updated_at: now } }
  }
}

/**
 * Returns the effect of the provider's report; undefined when the group is past that state. C-GRP-40, C-GRP-41,
 * C-GRP-56
 */
export const reported = (group: GroupState, report: GroupReport, now: number): MovedGroup | undefined => {
  if (group.status === "pending") {
    if (report._tag === "Created") return created(group, report, now)
    return report._tag === "Refused" ? failed(group, rejected(report.message), now) : undefined
  }
  if (group.status !== "deleting") return undefined
  if (report._tag === "Deleted") return { group: closed(group, now), outcome: { type: "deleted" } }
  return report._tag === "Refused" ? kept(group, rejected(report.message), now) : undefined
}

/**
 * Returns the effect of the response to a reset. While the group is deleting, its `failure` remains the deletion's, and
 * a new link is still stored. C-GRP-64..68, C-GEVT-14, gaps-3 B "When failure is cleared"
 */
export const resetEnded = (group: GroupState, result: CallResult, now: number): MovedGroup | undefined => {
  if (group.reset === null) return undefined
  const done = { ...group, reset: null, updated_at: now }
  const without = (failure: GroupFailure): GroupState => (group.status === "active" ? { ...done, failure } : done)
  switch (result._tag) {
    case "Simulated":
    case "Link":
      return { group: { ...done, invite_link: result.invite_link }, outcome: { type: "invite_link_reset" } }
    case "Refused": {
      const failure = rejected(result.message)
      return { group: without(failure), outcome: { type: "invite_link_reset_failed", failure } }
    }
    case "RuledOut":
      return { group: without(ruledOut(result.code)) }
    case "NotSent": {
      const pause = pauses[group.reset.attempts]
      if (pause === undefined) return { group: without(ruledOut("provider_error")) }
      const reset = {
        ...group.reset,
        state: "queued",
        due_at: now + pause,
        attempts: group.reset.attempts + 1
      } as const
      return { group: { ...group, reset } }
    }
    case "Taken":
    case "Unknown":
      return { group: without(doubtful) }
  }
}

const created = (
  group: GroupState,
  { invite_link, provider_group_id }: { readonly provider_group_id: string; readonly invite_link: string },
  now: number
): MovedGroup => ({
  group: { ...group, status: "active", provider_group_id, invite_link, failure: null, life: null, updated_at: now },
  outcome: { type: "created" }
})

const failed = (group: GroupState, failure: GroupFailure, now: number): MovedGroup => ({
  group: { ...group, status: "failed", failure, life: null, updated_at: now },
  outcome: { type: "create_failed", failure }
})

/** Returns the group unchanged after a refused deletion. */
const kept = (group: GroupState, failure: GroupFailure, now: number): MovedGroup => {
  const outcome: GroupOutcome = { type: "delete_failed", failure }
  return { group: { ...group, status: "active", failure, life: null, updated_at: now }, outcome }
}

const waiting = (group: GroupState, request_id: string | null): GroupState => ({
  ...group,
  life: { state: "waiting", due_at: null, attempts: 0, request_id }
})

const unsent = (group: GroupState): GroupState => ({
  ...group,
  life: { state: "unsent", due_at: null, attempts: 0, request_id: null }
})

/** Returns the group with its call due again after a pause; undefined after the last retry. */
const later = (group: GroupState, now: number): GroupState | undefined => {
  const attempts = group.life?.attempts ?? 0
  const pause = pauses[attempts]
  return pause === undefined
    ? undefined
    : { ...group, life: { state: "queued", due_at: now + pause, attempts: attempts + 1, request_id: null } }
}
