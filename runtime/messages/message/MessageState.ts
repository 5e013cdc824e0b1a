import { type DeliveryCode, deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { MessageEventItem, MessagePricing, ProviderError } from "@carteiro/schema/messages/Message.ts"
import type { MessageProgressType } from "@carteiro/schema/messages/MessageEvents.ts"
import { type MessageStatus, messagingLimitPacing } from "@carteiro/schema/messages/Vocabulary.ts"

/** The part of a message that changes. Instants are epoch milliseconds. gaps-2 B "Message state machine" */
export interface MessageState {
  readonly status: MessageStatus
  readonly status_reason: string | null
  readonly provider_message_id: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly provider_error: ProviderError | null
  readonly delivery_unconfirmed_at: number | null
}

/** The reason why a message ends as `failed`. M-DLV-01 */
export interface MessageFailure {
  readonly code: DeliveryCode
  readonly provider_error?: ProviderError | undefined
  readonly details?: MessageEventItem["details"] | undefined
}

/** An event in the life of an accepted outbound message. */
export type Trigger =
  /** The worker takes it: it has a rate token and, where needed, an allowance slot. */
  | { readonly _tag: "Reserve" }
  /** It waits for an allowance slot. M-MSG-07 */
  | { readonly _tag: "Hold" }
  /** A held message gets a free slot. M-MSG-08 */
  | { readonly _tag: "Release" }
  | { readonly _tag: "Cancel" }
  /** The check before dispatch refuses, or the queue bound passed. */
  | { readonly _tag: "Refuse"; readonly failure: MessageFailure }
  | { readonly _tag: "Answer"; readonly provider_message_id: string }
  /** Definitely not sent, and to be retried. */
  | { readonly _tag: "Requeue" }
  /** Definitely refused, or given up. */
  | { readonly _tag: "Reject"; readonly failure: MessageFailure }
  /** The attempt is ambiguous and is not repeated. M-DLV-23 */
  | { readonly _tag: "Unconfirm" }
  /** A status that the provider reports, in any order. */
  | {
      readonly _tag: "Report"
      readonly status: "sent" | "delivered" | "read" | "failed"
      readonly provider_message_id?: string | undefined
      readonly failure?: MessageFailure | undefined
      readonly pricing?: MessagePricing | undefined
    }
  /** The provider tells of the message, which stays as it is. U-STA-02 */
  | { readonly _tag: "Note"; readonly step: "played" | "deleted" | "warning"; readonly code: number | null }

/** One entry for `events`, still without its id. gaps-2 B "Inner read shapes" */
export interface RecordedEvent {
  readonly type: string
  readonly status: MessageStatus
  readonly occurred_at: number
  readonly error_code: string | null
  readonly details: MessageEventItem["details"]
}

/** The next state, the entry to store, and the outbox event to raise, all for one commit. M-MSG-14 */
export interface Transition {
  readonly state: MessageState
  readonly event: RecordedEvent | undefined
  /** The event for webhooks. M-EVT-01 */
  readonly announces: MessageProgressType | undefined
}

/** The higher rank wins; the statuses without a rank are terminal or inbound. gaps-2 B "Message state machine" */
export const statusRank = { queued: 0, sending: 1, sent: 2, delivered: 3, read: 4 } as const

/** Statuses that never change. gaps-2 B "Message state machine" */
export const terminalStatuses: ReadonlySet<MessageStatus> = new Set(["read", "failed", "cancelled", "received"])

const untouched: MessageState = {
  status: "queued",
  status_reason: null,
  provider_message_id: null,
  error_code: null,
  error_message: null,
  provider_error: null,
  delivery_unconfirmed_at: null
}

/** Returns a message at acceptance; `paced` when its sender is known to have no allowance left. M-MSG-04, M-MSG-05 */
export const accepted = (at: number, paced: boolean): Transition => {
  const state = paced ? { ...untouched, status_reason: messagingLimitPacing } : untouched
  return { state, event: entry("message.queued", "queued", at), announces: undefined }
}

/** Returns a captured inbound message, which is final from the start. gaps-2 B "Message state machine" */
export const received = (at: number, provider_message_id: string | null): Transition => ({
  state: { ...untouched, status: "received", provider_message_id },
  event: entry("message.received", "received", at),
  announces: undefined
})

/**
 * Changes a message by one fact. A fact that does not fit the present status changes nothing; a late or repeated
 * provider status is only stored as an entry, so each event type is announced at most once. gaps-2 B "Message state
 * machine"
 */
export const transition = (state: MessageState, trigger: Trigger, at: number): Transition => {
  const { status, status_reason } = state
  switch (trigger._tag) {
    case "Reserve":
      return status === "queued" && status_reason === null ? move(state, "sending", at) : stay(state)
    case "Hold":
      return status === "queued" && status_reason === null
        ? pace(state, messagingLimitPacing, "message.paced", at)
        : stay(state)
    case "Release":
      return status === "queued" && status_reason !== null ? pace(state, null, "message.released", at) : stay(state)
    case "Cancel":
      return status === "queued" ? move(state, "cancelled", at) : stay(state)
    case "Refuse":
      return status === "queued" ? fail(state, trigger.failure, at) : stay(state)
    case "Requeue":
      return status === "sending" ? move(state, "queued", at) : stay(state)
    case "Reject":
      return status === "sending" ? fail(state, trigger.failure, at) : stay(state)
    case "Unconfirm":
      return status === "sending" && state.delivery_unconfirmed_at === null
        ? {
            state: { ...state, delivery_unconfirmed_at: at },
            event: entry("message.unconfirmed", "sending", at),
            announces: undefined
          }
        : stay(state)
    case "Note":
      return {
        state,
        event: {
          ...entry(`message.${trigger.step}`, status, at),
          details: trigger.code === null ? null : { code: trigger.code }
        },
        announces: undefined
      }
    case "Answer":
      return report(identified(state, trigger.provider_message_id), "sent", undefined, at)
    case "Report":
      // A failed copy of the message proves nothing against another copy that the provider accepted.
      return trigger.status === "failed" && isAnotherCopy(state, trigger.provider_message_id)
        ? late(state, "failed", at)
        : report(identified(state, trigger.provider_message_id), trigger.status, trigger.failure, at)
  }
}

const isAnotherCopy = (state: MessageState, id: string | undefined): boolean =>
  state.provider_message_id !== null && id !== undefined && id !== state.provider_message_id

const report = (
  state: MessageState,
  status: "sent" | "delivered" | "read" | "failed",
  failure: MessageFailure | undefined,
  at: number
): Transition => {
  const from = state.status
  if (from === "received") return stay(state)
  // A report about a queued message proves that an earlier attempt was sent, whatever its response was.
  const onItsWay = from === "queued" || from === "sending" || from === "sent"
  if (status === "failed") {
    return onItsWay ? fail(state, failure ?? { code: "upstream_rejected" }, at) : late(state, status, at)
  }
  if ((onItsWay || from === "delivered") && statusRank[status] > statusRank[from]) return move(state, status, at)
  return late(state, status, at)
}

const identified = (state: MessageState, id: string | undefined): MessageState =>
  id === undefined || state.provider_message_id !== null ? state : { ...state, provider_message_id: id }

const stay = (state: MessageState): Transition => ({ state, event: undefined, announces: undefined })

const late = (state: MessageState, status: MessageStatus, at: number): Transition => ({
  state,
  event: { ...entry(`message.${status}`, status, at), details: { applied: false } },
  announces: undefined
})

const pace = (state: MessageState, status_reason: string | null, type: string, at: number): Transition => ({
  state: { ...state, status_reason },
  event: { ...entry(type, "queued", at), details: { status_reason } },
  announces: undefined
})

const move = (state: MessageState, status: MessageStatus, at: number): Transition => ({
  state: { ...state, status, status_reason: null, delivery_unconfirmed_at: null },
  event: entry(`message.${status}`, status, at),
  announces: status === "sent" || status === "delivered" || status === "read" ? `message.${status}` : undefined
})

/** Returns the sentence of a failure; that of a refused file has the platform's number. U-SND-10 */
const failureSentence = ({ code, provider_error }: MessageFailure): string => {
  const sentence = deliveryCodes[code]
  const number = provider_error?.code ?? null
  if (code !== "upstream_media_download_failed" || number === null) return sentence
  return `${sentence} The platform's error is ${number}. Sound in Ogg, as in voice notes, must be Opus.`
}

const fail = (state: MessageState, failure: MessageFailure, at: number): Transition => ({
  state: {
    ...state,
    status: "failed",
    status_reason: null,
    error_code: failure.code,
    error_message: failureSentence(failure),
    provider_error: failure.provider_error ?? null
  },
  event: { ...entry("message.failed", "failed", at), error_code: failure.code, details: failure.details ?? null },
  announces: "message.failed"
})

const entry = (type: string, status: MessageStatus, occurred_at: number): RecordedEvent => ({
  type,
  status,
  occurred_at,
  error_code: null,
  details: null
})
