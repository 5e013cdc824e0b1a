import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { NumberNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { paymentChanges } from "../../payments/Payments.ts"
import type { InboxRepo } from "../../vendor-webhooks/InboxRepo.ts"
import type { WorkPlace } from "../../vendor-webhooks/VendorWork.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { allowanceOf, needsSlot, slotMs } from "../pacing/Allowance.ts"
import { echoAll } from "../receive/Echoes.ts"
import { captureAll, type InboundDeps } from "../receive/Inbound.ts"
import { type InboundFactsDeps, readInboundFacts } from "../receive/InboundFacts.ts"
import { afterRefusalMs, countReached, type ProgressDeps, writeProgress } from "../send/ProgressUnit.ts"
import type { SendProgress } from "../send/SendProgress.ts"
import { type CallNotices, endOfCall, endWithChanges, isStatus } from "./CallEnds.ts"
import { keyOfPreference, learnIdentities } from "./Identities.ts"
import { inboundItems } from "./InboundItems.ts"
import { correctedId, lateCorrections } from "./LateCorrections.ts"
import type { NoticeRepo } from "./NoticeRepo.ts"
import { preferenceRows } from "./PreferenceRows.ts"
import type { ReadCall } from "./ReadCalls.ts"
import { ReportedStatuses } from "./ReportedStatuses.ts"

/** The services that handling a provider's calls needs. */
export interface NoticeDeps extends InboundDeps, InboundFactsDeps, ProgressDeps {
  /** Records in the owner's memory that a slot was opened, with its end in epoch milliseconds. */
  readonly openSlot: (expires_at: number) => void
  readonly notices: NoticeRepo["Service"]
  readonly inbox: InboxRepo["Service"]
  readonly readNotices: ReadCall
  readonly payments: typeof paymentChanges
}

/** A number with the provider's id of it. */
export interface NoticedNumber {
  readonly number: NumberFacts
  readonly upstream_phone_number_id: string | null
}

/** The most calls that one pass handles. */
const atOnce = 64

/**
 * Handles the provider's notices about a number: statuses of its messages in any order, customers' messages, marketing
 * stops. A repeated notice changes nothing, so that a call may be retried, as one about an unknown message is. Returns
 * when the next pass is due. gaps-2 E "Inbound upstream webhook"
 */
export const takeNotices = Effect.fnUntraced(function* (
  { number, upstream_phone_number_id }: NoticedNumber,
  workOwner: WorkPlace,
  owner: OwnerHandle,
  deps: NoticeDeps
) {
  const now = owner.now()
  const due = yield* deps.inbox.due(workOwner.owner_type, owner.id, now, atOnce)
  const calls = due.calls.map((work): CallNotices => {
    const { numbers } = deps.readNotices(work)
    return { work, notices: numbers.get(upstream_phone_number_id ?? "") ?? [] }
  })
  if (calls.length === 0) return undefined
  const all = calls.flatMap(({ notices }) => notices)
  const found = yield* deps.notices.find(
    { environment_id: number.environment_id, id: owner.id },
    [...new Set(all.flatMap(providerIds))],
    [...new Set(all.flatMap((notice) => (notice.kind === "status" && notice.message_id ? [notice.message_id] : [])))]
  )

  // Who a customer is comes before what is known of them.
  const identities = yield* learnIdentities(all, number.environment_id, now, deps.customers)

  const statuses = new ReportedStatuses(found)
  statuses.take(all.filter(isStatus), now)
  const moved = statuses.progress.map(({ environment_id, progress }) => ({
    environment_id,
    progress: withSlot(progress, number, now)
  }))
  const units = moved.map(({ environment_id, progress }) =>
    writeProgress(progress, { ...number, environment_id }, owner.id, now, deps)
  )

  const { echoed, heard } = isLive(number)
    ? inboundItems(writtenMessages(calls), found, number, now, deps.ids)
    : { heard: [], echoed: [] }
  const items = [...heard, ...echoed]
  const capturedIds = new Set(items.flatMap(({ provider_message_id }) => provider_message_id ?? []))
  const late = isLive(number) ? lateCorrections(calls, found, capturedIds) : undefined
  const facts = items.length === 0 ? undefined : yield* readInboundFacts(items, owner.id, deps)
  const captures =
    facts === undefined
      ? []
      : [...captureAll(heard, facts, owner, now, deps), ...echoAll(echoed, facts, owner, now, deps)]
  const captured = captures.flatMap((decision) => (decision._tag === "Commit" ? [decision] : []))
  const preferences = yield* readPreferences(calls, number, owner.id, deps)

  const changes = [
    ...units.map(({ message, rows }) => ({ rows, about: message.id })),
    ...captures.flatMap((decision, n) =>
      decision._tag === "Commit" ? [{ ...decision, about: items[n]?.provider_message_id ?? "" }] : []
    ),
    ...preferences,
    ...(late?.marks ?? []),
    ...paymentHints(calls, number, now, deps),
    ...identities.map((rows) => ({ rows, about: "" }))
  ]
  const { later, together } = endWithChanges(
    changes,
    calls.map((call) => endOfCall(call, statuses, workOwner, now, late?.waiting))
  )
  const { keys, statuses: outcomes } = yield* owner.commit(together)
  countReached(units, { statuses: outcomes.slice(0, units.length) }, number, deps.count)
  for (const [index, { progress }] of moved.entries()) {
    if (progress.slot === "reserving" && outcomes[index] === "committed") deps.openSlot(now + slotMs)
  }
  for (const [index, { settle }] of captured.entries()) {
    settle(keys, outcomes[units.length + index] === "committed")
  }
  if (!outcomes.every((outcome) => outcome === "committed")) return owner.now() + afterRefusalMs
  // These calls end last, so that a call whose changes are not written is retried.
  if (later.length > 0) yield* owner.commit([{ rows: later }])
  return due.hasMore ? owner.now() : undefined
})

/**
 * Returns the progress with the slot taken again of a template whose earlier attempt was refused: the report proves
 * that it went to a recipient who counts. gaps-2 D "Which sends use a slot"
 */
const withSlot = (progress: SendProgress, number: NumberFacts, now: number): SendProgress => {
  const { message, state } = progress
  const hasLeft = message.status === "queued" && state.status !== "queued" && state.status !== "failed"
  const isPaced = allowanceOf(number.messaging_tier, number.quality_rating) !== undefined
  return hasLeft && isPaced && needsSlot(message, now) ? { ...progress, slot: "reserving" } : progress
}

/**
 * False for a number that was given up, whose inbound messages are not captured. gaps-2 E "Inbound upstream webhook"
 */
const isLive = ({ status }: NumberFacts): boolean => status !== "released" && status !== "disconnected"

/** Returns the messages of customers and staff that calls report, each with the instant of its call. */
const writtenMessages = (calls: ReadonlyArray<CallNotices>) =>
  calls.flatMap(({ notices, work: { received_at } }) =>
    notices.flatMap((notice) => (notice.kind === "inbound" || notice.kind === "echo" ? [{ notice, received_at }] : []))
  )

/** Returns the choices that customers made at the platform, each a unit about its call. M-GRD-09, M-GRD-10 */
const readPreferences = Effect.fnUntraced(function* (
  calls: ReadonlyArray<CallNotices>,
  number: NumberFacts,
  business_id: string,
  { customers }: NoticeDeps
) {
  const units: Array<{ readonly rows: ReadonlyArray<Row>; readonly about: string }> = []
  for (const { notices, work } of calls) {
    for (const notice of notices) {
      if (notice.kind !== "preference") continue
      const key = yield* keyOfPreference(notice, number.environment_id, customers)
      const rows = preferenceRows(notice, key, number, business_id, work.received_at)
      if (rows.length > 0) units.push({ rows, about: work.webhook_id })
    }
  }
  return units
})

/** Has the payments of orders looked up that the platform reports, each a unit about its call. U-STA-03 */
const paymentHints = (
  calls: ReadonlyArray<CallNotices>,
  { environment_id }: NumberFacts,
  now: number,
  { payments }: NoticeDeps
) =>
  calls.flatMap(({ notices, work }) => {
    const rows = notices.flatMap((notice) =>
      notice.kind === "order_payment" ? (payments.reported(environment_id, notice.reference_id, now) ?? []) : []
    )
    return rows.length === 0 ? [] : [{ rows, about: work.webhook_id }]
  })

/** Returns the messages that a notice names by the provider's ids. */
const providerIds = (notice: NumberNotice): ReadonlyArray<string> => {
  switch (notice.kind) {
    case "status":
      return [notice.provider_message_id]
    case "inbound":
    case "echo": {
      const corrected = correctedId(notice)
      return corrected === undefined ? [notice.provider_message_id] : [notice.provider_message_id, corrected]
    }
    case "preference":
    case "identity":
    case "order_payment":
      return []
  }
}
