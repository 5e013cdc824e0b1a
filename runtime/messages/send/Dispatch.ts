import type { NotSentReason } from "@carteiro/provider/ChatProvider.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { ProviderError } from "@carteiro/schema/messages/Message.ts"
import type { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { SpendStanding } from "../../access/Access.ts"
import { isSuspended } from "../facts/Suspension.ts"
import type { LentSlot } from "../guards/LentSlot.ts"
import type { GuardRefusal } from "../guards/MarketingGuard.ts"
import type { Trigger } from "../message/MessageState.ts"
import { isWindowOpen, needsWindow } from "../message/ServiceWindow.ts"

/** How long a queued message may wait before it fails, in milliseconds. gaps-2 D "Queue-expiry bound and stale sends" */
const queueBoundMs = dayMs

/** How long an attempt may remain without a result, in milliseconds. M-DLV-22 */
export const staleSendMs = 60 * 1000

/**
 * How long an ambiguous attempt waits for a status that resolves it, in milliseconds. gaps-2 D "Queue-expiry bound and
 * stale sends"
 */
const unconfirmedBoundMs = dayMs

/** Returns when a message finally leaves the queue; a held one never does. gaps-2 D */
export const queueExpiresAt = (message: {
  readonly created_at: number
  readonly released_at: number | null
  readonly held: boolean
}): number | undefined => (message.held ? undefined : (message.released_at ?? message.created_at) + queueBoundMs)

/** The facts about a queued message at its turn. Instants are epoch milliseconds. */
export interface DispatchFacts {
  readonly channel: Channel
  readonly type: MessageType
  readonly sender: { readonly status: string; readonly suspended_at: number | null }
  /** The status of its template; null once the template is deleted, and without one. */
  readonly template_status: string | null
  /** The group to which it goes, and its status; null once it is gone, and for a person. U-SND-11 */
  readonly provider_group_id: string | null
  readonly group_status: string | null
  readonly optedOut: boolean
  readonly latestInboundAt: number | undefined
  readonly created_at: number
  readonly released_at: number | null
  /** The environment's present credit and cap; undefined in a sandbox, and while no message has waited for long. */
  readonly standing: SpendStanding | undefined
}

/** How long a message may wait before credit and cap are read again for it, in milliseconds. */
const spendJudgedAfterMs = 60 * 1000

/** True when credit and spend cap are read again before the message is sent. gaps-1 N "Monthly spend cap" */
export const hasWaitedLong = ({ created_at }: { readonly created_at: number }, now: number): boolean =>
  now - created_at > spendJudgedAfterMs

/**
 * Returns why the sender's messages cannot be sent, whether they wait for a token or are held; `undefined` when they
 * can. gaps-2 B "Sender not usable"
 */
export const judgeSender = (sender: DispatchFacts["sender"], now: number): DeliveryCode | undefined => {
  if (sender.status !== "active") return "sender_phone_number_unavailable"
  return isSuspended(sender, now) ? "phone_service_suspended" : undefined
}

const judgeSpending = ({ created_at, standing }: DispatchFacts, now: number): DeliveryCode | undefined => {
  if (standing === undefined || !hasWaitedLong({ created_at }, now)) return undefined
  if (standing.credit_blocked) return "credit_balance_exhausted"
  return standing.over_spend_cap ? "spend_limit_exceeded" : undefined
}

/**
 * Returns why a queued message is not sent after all, or `undefined` when it may be: the checks of acceptance are
 * repeated. gaps-2 B "Message state machine", "Sender not usable", gaps-2 D "Queue-expiry bound and stale sends"
 */
export const judgeDispatch = (facts: DispatchFacts, now: number): DeliveryCode | undefined => {
  const expires = queueExpiresAt({ created_at: facts.created_at, released_at: facts.released_at, held: false })
  if (expires !== undefined && now >= expires) return "queue_expired"
  const unusable = judgeSender(facts.sender, now) ?? judgeSpending(facts, now)
  if (unusable !== undefined) return unusable
  if (facts.type === "template" && facts.template_status !== "approved") return "template_unavailable"
  if (facts.provider_group_id !== null && facts.group_status !== "active") return "group_not_active"
  if (facts.optedOut) return "contact_opted_out"
  if (needsWindow(facts.channel, facts.type) && !isWindowOpen(facts.latestInboundAt, now)) {
    return "service_window_required"
  }
  return undefined
}

/** The facts that decide a template's turn, besides its row. */
interface TurnTerms {
  /** The refusal by the guards now. M-GRD-24 */
  readonly guard: GuardRefusal | undefined
  readonly needsSlot: boolean
  readonly slotted: boolean
  /** The slot of another number of the portfolio that it would share. U-LIM-01 */
  readonly lent: LentSlot | undefined
}

/** The terms of templates by message; free-form messages have none. */
export type Terms = ReadonlyMap<string, TurnTerms>

/** The end of an attempt. M-DLV-22, M-DLV-23 */
export type AttemptEnd =
  | { readonly _tag: "Accepted"; readonly provider_message_id: string }
  | { readonly _tag: "Rejected"; readonly code: string; readonly error: ProviderError | null }
  | {
      readonly _tag: "NotSent"
      readonly reason: NotSentReason
      readonly code: string
      readonly error: ProviderError | null
    }
  | { readonly _tag: "Unknown" }

/** Returns the state machine's trigger for an attempt's end; an unknown code counts as an ordinary refusal. M-DLV-01 */
export const triggerOf = (end: AttemptEnd): Trigger => {
  switch (end._tag) {
    case "Accepted":
      return { _tag: "Answer", provider_message_id: end.provider_message_id }
    case "Rejected":
      return {
        _tag: "Reject",
        failure: {
          code: deliveryCodeOf(end.code),
          provider_error: end.error ?? undefined
        }
      }
    case "NotSent":
      return { _tag: "Requeue" }
    case "Unknown":
      return { _tag: "Unconfirm" }
  }
}

/** Returns a provider's code as one of ours; an unknown code counts as an ordinary refusal. M-DLV-01 */
export const deliveryCodeOf = (code: string): DeliveryCode => (isDeliveryCode(code) ? code : "upstream_rejected")

const isDeliveryCode = (code: string): code is DeliveryCode => Object.hasOwn(deliveryCodes, code)

/** The decision on a message found `sending`. */
export type Recovery =
  | { readonly _tag: "Wait"; readonly until: number }
  /** Nothing was sent upstream: it may be sent again. M-DLV-22 */
  | { readonly _tag: "Requeue" }
  /** The provider may have it: it is never sent again. M-DLV-23 */
  | { readonly _tag: "Unconfirm" }
  /** It fails with `provider_send_result_missing`. M-DLV-21 */
  | { readonly _tag: "GiveUp" }

/**
 * Decides on an attempt without a result; instants are epoch milliseconds. gaps-2 D "Queue-expiry bound and stale
 * sends"
 */
export const recoverSend = (
  attempt: {
    readonly sending_since: number
    /** False only when it is certain that no byte was sent to the provider. */
    readonly bytes_written: boolean
    readonly expires_at: number
    readonly delivery_unconfirmed_at: number | null
  },
  now: number
): Recovery => {
  if (attempt.delivery_unconfirmed_at !== null) {
    const until = attempt.delivery_unconfirmed_at + unconfirmedBoundMs
    return now < until ? { _tag: "Wait", until } : { _tag: "GiveUp" }
  }
  const stale = attempt.sending_since + staleSendMs
  if (now < stale) return { _tag: "Wait", until: stale }
  if (attempt.bytes_written) return { _tag: "Unconfirm" }
  return now < attempt.expires_at ? { _tag: "Requeue" } : { _tag: "GiveUp" }
}
