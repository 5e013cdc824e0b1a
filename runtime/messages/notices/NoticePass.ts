import type { InboxRepo, VendorWork } from "@carteiro/owners/Inbox.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { NumberNotice, StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { deferred, finished, looksAgainAt, type WorkPlace } from "../../vendor-webhooks/VendorWork.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { allowanceOf, needsSlot, slotMs } from "../pacing/Allowance.ts"
import { captureAll, type InboundDeps } from "../receive/Inbound.ts"
import { type InboundFactsDeps, readInboundFacts } from "../receive/InboundFacts.ts"
import { afterRefusalMs, countReached, type ProgressDeps, writeProgress } from "../send/ProgressUnit.ts"
import type { SendProgress } from "../send/SendProgress.ts"
import { inboundItems } from "./InboundItems.ts"
import type { NoticeRepo } from "./NoticeRepo.ts"
import { preferenceRows } from "./PreferenceRows.ts"
import type { ReadCall } from "./ReadCalls.ts"
import { ReportedStatuses } from "./ReportedStatuses.ts"

/** What working on a provider's calls needs. */
export interface NoticeDeps extends InboundDeps, InboundFactsDeps, ProgressDeps {
  /** Tells the owner that a slot was opened which ends then, in epoch milliseconds. */
  readonly openSlot: (expires_at: number) => void
  readonly notices: NoticeRepo["Service"]
  readonly inbox: InboxRepo["Service"]
  readonly readNotices: ReadCall
}

/** A number as the provider's calls name it. */
export interface NoticedNumber {
  readonly number: NumberFacts
  readonly upstream_phone_number_id: string | null
}

/** A call of the provider and what of it concerns the number. */
interface Call {
  readonly work: VendorWork
  readonly notices: ReadonlyArray<NumberNotice>
}

/** Calls worked on in one pass. */
const atOnce = 64

/**
 * One pass over what the provider told of a number: statuses of its messages in any order, what customers wrote, who
 * stopped marketing. What was told before changes nothing, so that a call may be looked at again: one that names a message
 * nobody knows yet is. Answers when to look next. gaps-2 E "Inbound upstream webhook"
 */
export const takeNotices = Effect.fnUntraced(function* (
  { number, upstream_phone_number_id }: NoticedNumber,
  place: WorkPlace,
  owner: OwnerHandle,
  deps: NoticeDeps
) {
  const now = owner.now()
  const due = yield* deps.inbox.due(place.owner_type, owner.id, now, atOnce)
  const calls = due.calls.map((work): Call => {
    const { numbers } = deps.readNotices(work)
    return { work, notices: numbers.get(upstream_phone_number_id ?? "") ?? [] }
  })
  const all = calls.flatMap(({ notices }) => notices)
  const found = yield* deps.notices.find(
    { environment_id: number.environment_id, id: owner.id },
    [...new Set(all.flatMap(providerIds))],
    [...new Set(all.flatMap((notice) => (notice.kind === "status" && notice.message_id ? [notice.message_id] : [])))]
  )

  const statuses = new ReportedStatuses(found)
  const rows: Array<Row> = []
  statuses.take(all.filter(isStatus), now)
  for (const { notices, work } of calls) {
    const isKnown = notices.filter(isStatus).every((notice) => statuses.knows(notice))
    const again = isKnown ? undefined : looksAgainAt(work.attempts, now)
    rows.push(again === undefined ? finished(place, work) : deferred(place, work, again))
  }
  const moved = statuses.progress.map(({ environment_id, progress }) => ({
    environment_id,
    progress: withSlot(progress, number, now)
  }))
  const units = moved.map(({ environment_id, progress }) =>
    writeProgress(progress, { ...number, environment_id }, owner.id, now, deps)
  )

  const written = calls.flatMap(({ notices, work: { received_at } }) =>
    notices.flatMap((notice) => (notice.kind === "inbound" ? [{ notice, received_at }] : []))
  )
  const items = isLive(number) ? inboundItems(written, found, number, now, deps.ids) : []
  const facts = items.length === 0 ? undefined : yield* readInboundFacts(items, owner.id, deps)
  const captures = facts === undefined ? [] : captureAll(items, facts, owner, now, deps)
  const captured = captures.flatMap((decision) => (decision._tag === "Commit" ? [decision] : []))
  const preferences = calls.flatMap(({ notices, work: { received_at } }) =>
    notices.flatMap((notice) => preferenceRows(notice, number, owner.id, received_at))
  )

  const asked = [...units, ...captured, ...preferences.map((row) => ({ rows: [row] }))]
  const { keys, statuses: outcomes } = yield* owner.commit(asked)
  countReached(units, { statuses: outcomes.slice(0, units.length) }, number, deps.count)
  for (const [index, { progress }] of moved.entries()) {
    if (progress.slot === "reserving" && outcomes[index] === "committed") deps.openSlot(now + slotMs)
  }
  for (const [index, { settle }] of captured.entries()) {
    settle(keys, outcomes[units.length + index] === "committed")
  }
  if (!outcomes.every((outcome) => outcome === "committed")) return owner.now() + afterRefusalMs
  // Only now: what was not written is looked at again.
  if (rows.length > 0) yield* owner.commit([{ rows }])
  return due.hasMore ? owner.now() : undefined
})

const isStatus = (notice: NumberNotice): notice is StatusNotice => notice.kind === "status"

/**
 * Takes back the slot of a template whose earlier try was refused: the report proves that it went to a recipient who costs
 * one. gaps-2 D "Which sends use a slot"
 */
const withSlot = (progress: SendProgress, number: NumberFacts, now: number): SendProgress => {
  const { message, state } = progress
  const hasLeft = message.status === "queued" && state.status !== "queued" && state.status !== "failed"
  const isPaced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  return hasLeft && isPaced && needsSlot(message, now) ? { ...progress, slot: "reserving" } : progress
}

/** What a number that was given up receives is nobody's. gaps-2 E "Inbound upstream webhook" */
const isLive = ({ status }: NumberFacts): boolean => status !== "released" && status !== "disconnected"

/** Messages that a notice names by the provider's ids. */
const providerIds = (notice: NumberNotice): ReadonlyArray<string> => {
  switch (notice.kind) {
    case "status":
    case "inbound":
      return [notice.provider_message_id]
    case "preference":
      return []
  }
}
