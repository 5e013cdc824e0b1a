import type { GroupFailure } from "@carteiro/schema/groups/GroupEvents.ts"
import { closed } from "../group/GroupLife.ts"
import type { GroupOutcome, GroupState, MovedGroup } from "../group/GroupState.ts"

/** How a turn at the provider ended, of a group's life or of its link. */
export type CallResult =
  /** A sandbox plays it. */
  | { readonly _tag: "Simulated"; readonly provider_group_id: string; readonly invite_link: string }
  /** The provider took it and reports later under this name. */
  | { readonly _tag: "Taken"; readonly request_id: string }
  /** The answer of a reset. */
  | { readonly _tag: "Link"; readonly invite_link: string }
  /** Definitely refused, in the provider's words. */
  | { readonly _tag: "Refused"; readonly message: string }
  /** Provably not sent: no connection, a full or failing server that said so. */
  | { readonly _tag: "NotSent" }
  /** It may have arrived. */
  | { readonly _tag: "Unknown" }
  /** Nothing was sent: number, eligibility or connection rule it out. */
  | { readonly _tag: "RuledOut"; readonly code: RuledOut }

export type RuledOut = "sender_phone_number_unavailable" | "group_phone_number_not_eligible" | "provider_error"

/** A report of the provider about a request that it took. gaps-3 B "Production group calls" */
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

/** Pauses before what did not leave is tried again, in milliseconds. gaps-2 E "Retry policy" */
const pauses = [1000, 2000, 4000, 8000, 16_000] as const

/** A reset that nobody finished for so long is given up, in milliseconds. gaps-3 B "Reset bookkeeping" */
export const resetLimitMs = 10 * 60_000

/** Where an answer, or its absence, brings a group that is being made or deleted. C-GRP-39..43, C-GRP-55..59 */
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

/** Where the provider's report brings it; undefined where the group is past it. C-GRP-40, C-GRP-41, C-GRP-56 */
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
 * Where the answer to a reset brings a group. While it is deleting its `failure` stays the deletion's, and a link that was
 * given is stored all the same. C-GRP-64..68, C-GEVT-14, gaps-3 B "When failure is cleared"
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

/** A deletion that was refused leaves the group as it was. */
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

/** The same turn once more, after a pause; undefined when it was tried often enough. */
const later = (group: GroupState, now: number): GroupState | undefined => {
  const attempts = group.life?.attempts ?? 0
  const pause = pauses[attempts]
  return pause === undefined
    ? undefined
    : { ...group, life: { state: "queued", due_at: now + pause, attempts: attempts + 1, request_id: null } }
}
