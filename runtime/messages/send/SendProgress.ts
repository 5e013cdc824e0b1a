import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { MessagePricing } from "@carteiro/schema/messages/Message.ts"
import { type JsonText, jsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SpendStanding } from "../../access/Access.ts"
import { lookAgainAt, type MessageFile } from "../content/MessageFile.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import { afterRefusal, jitterOf, type Refusals } from "../facts/SendRetry.ts"
import type { LentSlot } from "../guards/LentSlot.ts"
import { type GuardRefusal, guardDetails } from "../guards/MarketingGuard.ts"
import { type MessageState, type Transition, type Trigger, transition } from "../message/MessageState.ts"
import { remaining } from "../sandbox/SandboxScenario.ts"
import {
  type AttemptEnd,
  deliveryCodeOf,
  judgeDispatch,
  queueExpiresAt,
  recoverSend,
  staleSendMs,
  triggerOf
} from "./Dispatch.ts"

/** A due message with its progress in one pass. Instants are epoch milliseconds. */
export interface SendProgress {
  /** When a simulated customer answered the message's flow, in this pass. */
  readonly answered_at?: number
  readonly message: DueMessage
  readonly state: MessageState
  /** The transitions of this pass in order: one commit writes them all, each entry and event once. M-MSG-14 */
  readonly transitions: ReadonlyArray<Transition>
  /** When it is due next; null when nothing remains. */
  readonly due_at: number | null
  readonly sending_since: number | null
  readonly released_at: number | null
  readonly provider: string | null
  readonly provider_payload: JsonText<unknown> | null
  /** What the provider says of its price. U-STA-01 */
  readonly pricing: JsonText<MessagePricing> | null
  /** The file of the message, once its turn was taken. */
  readonly file?: MessageFile | undefined
  readonly refusals: Refusals
  readonly slot: SlotUse
  /** The slot of another number that it shares with this commit. */
  readonly lent?: LentSlot | undefined
  /** True when a report of the provider changed it. */
  readonly isReported?: true
}

/**
 * The use of its number's slots: with this commit it opens one, counts under its recipient's or shares that of another
 * number, or it did so with an earlier commit, or gives that back. U-LIM-01, gaps-2 D "Which sends use a slot"
 */
export type SlotUse = "none" | "opening" | "reserving" | "sharing" | "reserved" | "returning"

/**
 * The provider of a message now, or the code with which it ends because there is none. gaps-2 E "Choice of connection"
 */
export type Carrier = { readonly provider: string } | { readonly unavailable: DeliveryCode }

/** Returns the progress of a message at the beginning of a pass. */
export const beginProgress = (message: DueMessage): SendProgress => ({
  message,
  state: {
    status: message.status,
    status_reason: message.status_reason,
    provider_message_id: message.provider_message_id,
    error_code: message.error_code,
    error_message: message.error_message,
    provider_error: readJsonOrNull(message.provider_error),
    delivery_unconfirmed_at: message.delivery_unconfirmed_at
  },
  transitions: [],
  due_at: null,
  sending_since: message.sending_since,
  released_at: message.released_at,
  provider: message.provider,
  provider_payload: message.provider_payload,
  pricing: message.pricing,
  refusals: { refusals: message.refusals, refused_by: message.refused_by, refused_since: message.refused_since },
  slot: "none"
})

/** Returns the progress after one more trigger; it has no due time until one is set. */
const applyTrigger = (progress: SendProgress, trigger: Trigger, now: number): SendProgress => {
  const next = transition(progress.state, trigger, now)
  return { ...progress, state: next.state, transitions: [...progress.transitions, next], due_at: null }
}

/** The facts that decide a turn, besides the message and its number. */
export interface Turn {
  readonly carrier: Carrier
  /** The refusal by the marketing guards. */
  readonly guard?: GuardRefusal | undefined
  readonly file?: MessageFile | undefined
  /** What the environment may spend now. */
  readonly standing?: SpendStanding | undefined
}

/**
 * Reserves a queued message at its turn, or fails it when a check no longer passes. gaps-2 B "Message state machine"
 */
export const takeTurn = (
  progress: SendProgress,
  number: NumberFacts,
  { carrier, file, guard, standing }: Turn,
  now: number
): SendProgress => {
  const { message } = progress
  const code = judgeDispatch(
    {
      channel: message.channel,
      type: message.type,
      sender: number,
      template_status: message.template_status,
      provider_group_id: message.provider_group_id,
      group_status: message.group_status,
      optedOut: message.opted_out,
      latestInboundAt: message.latest_inbound_at ?? undefined,
      created_at: message.created_at,
      released_at: progress.released_at,
      standing
    },
    now
  )
  if (code !== undefined) return applyTrigger(progress, { _tag: "Refuse", failure: { code } }, now)
  if (guard !== undefined) {
    const failure = { code: guard.code, details: guardDetails(guard) }
    return applyTrigger(progress, { _tag: "Refuse", failure }, now)
  }
  if ("unavailable" in carrier) {
    return applyTrigger(progress, { _tag: "Refuse", failure: { code: carrier.unavailable } }, now)
  }
  const prepared = file?.prepared
  if (file !== undefined && prepared === undefined) return { ...progress, due_at: lookAgainAt(message.created_at, now) }
  if (prepared?._tag === "Failed") {
    return applyTrigger(progress, { _tag: "Refuse", failure: prepared }, now)
  }
  return {
    ...applyTrigger(progress, { _tag: "Reserve" }, now),
    file,
    provider: carrier.provider,
    sending_since: now,
    due_at: now + staleSendMs
  }
}

/** Ends a queued message on its sender's request. gaps-2 B "Cancel a message" */
export const cancelTurn = (progress: SendProgress, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Cancel" }, now)

/** Holds a queued message that lacks a slot; the release loop of its number handles it. M-MSG-07 */
export const holdTurn = (progress: SendProgress, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Hold" }, now)

/** Fails a held message whose sender is no longer usable, without waiting for a slot. gaps-2 B "Sender not usable" */
export const refuseHeld = (progress: SendProgress, code: DeliveryCode, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Refuse", failure: { code } }, now)

/** Releases a held message: its turn comes at once, and is decided again then. M-MSG-08 */
export const releaseHeld = (progress: SendProgress, now: number): SendProgress => ({
  ...applyTrigger(progress, { _tag: "Release" }, now),
  released_at: now,
  due_at: now
})

/**
 * Records a status that the provider reports, in any order. When it changes the message, nothing is due any more;
 * otherwise the due time stays.
 */
export const reportStatus = (progress: SendProgress, report: Trigger, now: number): SendProgress => {
  const pricing = report._tag === "Report" && report.pricing !== undefined ? jsonText(report.pricing) : progress.pricing
  const next = { ...applyTrigger(progress, report, now), pricing, isReported: true as const }
  return next.state.status === progress.state.status ? { ...next, due_at: progress.due_at } : next
}

/** Ends an attempt; `response` is the provider's raw response. */
export const endAttempt = (
  progress: SendProgress,
  end: AttemptEnd,
  response: JsonText<unknown> | null,
  now: number
): SendProgress => {
  if (end._tag === "NotSent") return sendBack(progress, end, now)
  const next = applyTrigger(progress, triggerOf(end), now)
  switch (end._tag) {
    case "Unknown":
      return { ...next, due_at: recoveryAt(next, now) }
    case "Rejected":
      return { ...next, slot: given(progress.slot) }
    case "Accepted":
      return { ...next, provider_payload: response ?? next.provider_payload }
  }
}

/** Returns a message that the provider certainly did not accept: it is retried, unless its time is over. M-DLV-06 */
const sendBack = (
  progress: SendProgress,
  end: AttemptEnd & { readonly _tag: "NotSent" },
  now: number
): SendProgress => {
  const code = deliveryCodeOf(end.code)
  const reached = end.error !== null || end.reason !== "transient"
  const jitter = jitterOf(progress.message.id, progress.refusals.refusals)
  const after = afterRefusal(progress.refusals, { reason: end.reason, reached, code }, jitter, now)
  const slot = given(progress.slot)
  if (after._tag === "Fail") {
    const failure = { code: after.code, provider_error: end.error ?? undefined }
    return { ...applyTrigger(progress, { _tag: "Reject", failure }, now), slot }
  }
  const next = applyTrigger(progress, { _tag: "Requeue" }, now)
  return { ...next, due_at: after.at, refusals: after.refusals, slot }
}

const given = (slot: SlotUse): SlotUse => (slot === "reserved" ? "returning" : "none")

/**
 * Decides on a reservation without a result. The call may have been sent before its node stopped, so the attempt is
 * ambiguous and never repeated. M-DLV-21, M-DLV-23
 */
export const judgeStaleAttempt = (progress: SendProgress, now: number): SendProgress => {
  const recovery = recoverSend(attemptOf(progress), now)
  switch (recovery._tag) {
    case "Wait":
      return { ...progress, due_at: recovery.until }
    case "Requeue":
      return { ...applyTrigger(progress, { _tag: "Requeue" }, now), sending_since: null, due_at: now }
    case "Unconfirm": {
      const next = applyTrigger(progress, { _tag: "Unconfirm" }, now)
      return { ...next, due_at: recoveryAt(next, now) }
    }
    case "GiveUp":
      return applyTrigger(progress, { _tag: "Reject", failure: { code: "provider_send_result_missing" } }, now)
  }
}

/**
 * Applies the simulator's reports that are due by now, oldest first, and sets when the next one is due. It does not
 * send: a message waits for its turn. gaps-2 J "Status timing"
 */
export const applyReports = (progress: SendProgress, unit_ms: number, now: number): SendProgress => {
  const { message } = progress
  const steps = remaining(
    {
      scenario: message.scenario ?? "success",
      type: message.type,
      accepted_at: message.created_at,
      unit_ms,
      provider_message_id: ""
    },
    { ...progress.state, due_at: message.due_at }
  )
  let next = { ...progress, due_at: null as number | null }
  for (const { at, trigger } of steps) {
    const turn = trigger._tag !== "Report" && trigger._tag !== "Release" && trigger._tag !== "CompleteFlow"
    if (turn || at > now) return { ...next, due_at: at }
    if (trigger._tag === "CompleteFlow") {
      next = { ...next, answered_at: at }
      continue
    }
    next = { ...applyTrigger(next, trigger, now), released_at: trigger._tag === "Release" ? now : next.released_at }
  }
  return next
}

const attemptOf = (progress: SendProgress) => ({
  sending_since: progress.sending_since ?? progress.message.created_at,
  bytes_written: true,
  expires_at:
    queueExpiresAt({
      created_at: progress.message.created_at,
      released_at: progress.released_at,
      held: false
    }) ?? 0,
  delivery_unconfirmed_at: progress.state.delivery_unconfirmed_at
})

const recoveryAt = (progress: SendProgress, now: number): number => {
  const recovery = recoverSend(attemptOf(progress), now)
  return recovery._tag === "Wait" ? recovery.until : now
}
