import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SpendStanding } from "../../access/Access.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import { afterRefusal, jitterOf, type Refusals } from "../facts/SendRetry.ts"
import { lookAgainAt, type MessageFile } from "../files/MessageFile.ts"
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

/** A due message and how far one pass has brought it. Instants are epoch milliseconds. */
export interface SendProgress {
  /** When a simulated customer answered the flow it opened, in this pass. */
  readonly answered_at?: number
  readonly message: DueMessage
  readonly state: MessageState
  /** What has brought it there, in order: one commit writes all of it, each entry and event once. M-MSG-14 */
  readonly transitions: ReadonlyArray<Transition>
  /** When it is looked at next; null when nothing is left to do. */
  readonly due_at: number | null
  readonly sending_since: number | null
  readonly released_at: number | null
  readonly provider: string | null
  readonly provider_payload: JsonText<unknown> | null
  /** The file it goes with, once its turn was taken. */
  readonly file?: MessageFile | undefined
  readonly refusals: Refusals
  readonly slot: SlotUse
  /** A report of the provider brought it there. */
  readonly isReported?: true
}

/**
 * What a message has of its number's slots: with this commit it opens one or goes under its recipient's, or it did so with
 * an earlier commit, or gives that back. gaps-2 D "Which sends use a slot"
 */
export type SlotUse = "none" | "opening" | "reserving" | "reserved" | "returning"

/** Who carries a message now, or the code it ends with because nobody does. gaps-2 E "Choice of connection" */
export type Carrier = { readonly provider: string } | { readonly unavailable: DeliveryCode }

/** A message as its row shows it, before anything happens to it in this pass. */
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
  refusals: { refusals: message.refusals, refused_by: message.refused_by, refused_since: message.refused_since },
  slot: "none"
})

/** The progress after one more fact; nothing is due until somebody says so. */
const applyTrigger = (progress: SendProgress, trigger: Trigger, now: number): SendProgress => {
  const next = transition(progress.state, trigger, now)
  return { ...progress, state: next.state, transitions: [...progress.transitions, next], due_at: null }
}

/** What a turn is judged by beside the message and its number. */
export interface Turn {
  readonly carrier: Carrier
  /** Why the marketing guards stop it. */
  readonly guard?: GuardRefusal | undefined
  readonly file?: MessageFile | undefined
  /** What the environment may spend by now. */
  readonly standing?: SpendStanding | undefined
}

/**
 * Reserves a queued message whose turn has come, or fails it for what no longer holds. gaps-2 B "Message state machine"
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
    return applyTrigger(progress, { _tag: "Refuse", failure: { code: prepared.code } }, now)
  }
  return {
    ...applyTrigger(progress, { _tag: "Reserve" }, now),
    file,
    provider: carrier.provider,
    sending_since: now,
    due_at: now + staleSendMs
  }
}

/** Ends a queued message because its sender wants it so. gaps-2 B "Cancel a message" */
export const cancelTurn = (progress: SendProgress, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Cancel" }, now)

/** Holds a queued message for want of a slot; the release loop of its number looks at it. M-MSG-07 */
export const holdTurn = (progress: SendProgress, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Hold" }, now)

/** Fails a held message whose sender is not usable any more: it does not wait for a slot first. gaps-2 B "Sender not usable" */
export const refuseHeld = (progress: SendProgress, code: DeliveryCode, now: number): SendProgress =>
  applyTrigger(progress, { _tag: "Refuse", failure: { code } }, now)

/** Lets a held message go: its turn comes at once, and it is judged again there. M-MSG-08 */
export const releaseHeld = (progress: SendProgress, now: number): SendProgress => ({
  ...applyTrigger(progress, { _tag: "Release" }, now),
  released_at: now,
  due_at: now
})

/**
 * Notes a status that the provider reports, in whatever order it comes. Where it moves the message nothing is due any
 * more; else what was due stays so.
 */
export const reportStatus = (progress: SendProgress, report: Trigger, now: number): SendProgress => {
  const next = { ...applyTrigger(progress, report, now), isReported: true as const }
  return next.state.status === progress.state.status ? { ...next, due_at: progress.due_at } : next
}

/** Ends an attempt; `response` is the provider's raw answer. */
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

/** The provider certainly did not take it: it goes again, unless it was tried for long enough. M-DLV-06 */
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
 * Judges a reservation whose result never came. The attempt may have left before its node went away, so that it is
 * ambiguous: it is never repeated. M-DLV-21, M-DLV-23
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
 * Applies what the simulator reports by now, oldest first, and notes when the next report comes. Going out is not its business: there
 * a message waits for its turn. gaps-2 J "Status timing"
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
