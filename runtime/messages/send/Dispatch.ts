import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { ProviderError } from "@carteiro/schema/messages/Message.ts"
import type { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import {
  type AnnouncedEvent,
  type Delivery,
  type RecordedEvent,
  type Transition,
  type Trigger,
  transition
} from "../message/MessageState.ts"
import { isWindowOpen, needsWindow } from "../message/ServiceWindow.ts"
import { queueExpiresAt } from "./SendRecovery.ts"

/** What is known about a queued message when its turn comes. Instants are epoch milliseconds. */
export interface DispatchFacts {
  readonly channel: Channel
  readonly type: MessageType
  readonly sender: { readonly status: string; readonly suspended: boolean }
  readonly optedOut: boolean
  readonly latestInboundAt: number | undefined
  readonly created_at: number
  readonly released_at: number | null
}

/**
 * Why a queued message is not sent after all, or `undefined` when it may go: what acceptance judged is judged again.
 * gaps-2 B "Message state machine", "Sender not usable", gaps-2 D "Queue-expiry bound and stale sends"
 */
export const dispatchRefusal = (facts: DispatchFacts, now: number): DeliveryCode | undefined => {
  const expires = queueExpiresAt({ created_at: facts.created_at, released_at: facts.released_at, held: false })
  if (expires !== undefined && now >= expires) return "queue_expired"
  if (facts.sender.status !== "active") return "sender_phone_number_unavailable"
  if (facts.sender.suspended) return "phone_service_suspended"
  if (facts.optedOut) return "contact_opted_out"
  if (needsWindow(facts.channel, facts.type) && !isWindowOpen(facts.latestInboundAt, now)) {
    return "service_window_required"
  }
  return undefined
}

/** What an attempt's end means for its message. M-DLV-22, M-DLV-23 */
export type AttemptEnd =
  | { readonly _tag: "Accepted"; readonly provider_message_id: string }
  | { readonly _tag: "Rejected"; readonly code: string; readonly error: ProviderError | null }
  | { readonly _tag: "NotSent" }
  | { readonly _tag: "Unknown" }

/** The fact an attempt's end is to the state machine; a code that is not ours counts as an ordinary refusal. M-DLV-01 */
export const triggerOf = (end: AttemptEnd): Trigger => {
  switch (end._tag) {
    case "Accepted":
      return { _tag: "Answer", provider_message_id: end.provider_message_id }
    case "Rejected":
      return {
        _tag: "Reject",
        failure: {
          code: isDeliveryCode(end.code) ? end.code : "upstream_rejected",
          provider_error: end.error ?? undefined
        }
      }
    case "NotSent":
      return { _tag: "Requeue" }
    case "Unknown":
      return { _tag: "Unconfirm" }
  }
}

const isDeliveryCode = (code: string): code is DeliveryCode => Object.hasOwn(deliveryCodes, code)

/** Where several facts at once take a message, in their order: one commit, each entry and event once. M-MSG-14 */
export interface Course {
  readonly delivery: Delivery
  readonly events: ReadonlyArray<RecordedEvent>
  readonly announces: ReadonlyArray<AnnouncedStep>
}

/** An event to raise and the state it shows. */
export interface AnnouncedStep {
  readonly type: AnnouncedEvent
  readonly delivery: Delivery
}

/** A message before anything happens to it. */
export const standing = (delivery: Delivery): Course => ({ delivery, events: [], announces: [] })

/** A course with one more fact, `at` in epoch milliseconds. */
export const andThen = (course: Course, trigger: Trigger, at: number): Course => {
  const next: Transition = transition(course.delivery, trigger, at)
  return {
    delivery: next.delivery,
    events: next.event === undefined ? course.events : [...course.events, next.event],
    announces:
      next.announces === undefined
        ? course.announces
        : [...course.announces, { type: next.announces, delivery: next.delivery }]
  }
}
