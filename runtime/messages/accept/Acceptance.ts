import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { CreditBalanceExhausted } from "@carteiro/schema/conventions/SharedErrors.ts"
import {
  ContactOptedOut,
  ReplyTargetNotFound,
  ReplyTargetUnavailable,
  ServiceWindowRequired,
  SpendLimitExceeded
} from "@carteiro/schema/messages/MessageErrors.ts"
import type { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { isSuspended } from "../facts/Suspension.ts"
import { isWindowOpen, needsWindow } from "../message/ServiceWindow.ts"

/**
 * The quoted message, found by environment, business number and customer; `undefined` when there is none. M-REPLY-01
 */
export interface ReplyTarget {
  readonly provider_message_id: string | null
}

/** The facts that decide one send. Instants are epoch milliseconds. */
export interface AcceptFacts {
  readonly channel: Channel
  readonly type: MessageType
  readonly sender: { readonly suspended_at: number | null } | undefined
  readonly creditBlocked: boolean
  readonly overSpendCap: boolean
  /** The refusal for the group to which it goes. U-SND-11 */
  readonly group: ApiError | undefined
  /** Absent when the send quotes no message. */
  readonly reply?: { readonly target: ReplyTarget | undefined } | undefined
  /** The refusal for the object that the content names: a reaction's target, a template with its parameters, a flow. */
  readonly content: ApiError | undefined
  readonly optedOut: boolean
  readonly latestInboundAt: number | undefined
}

/**
 * Returns the refusal of a send, or `undefined` when it may be stored. `takeToken` draws from the number's bucket and
 * returns the wait in milliseconds when it is empty; it is called at its place in the order, so that an unknown or
 * suspended sender costs no token. gaps-2 A "Check order inside POST /v1/messages after the idempotency step"
 */
export const judgeSend = (
  facts: AcceptFacts,
  takeToken: () => number | undefined,
  now: number
): ApiError | undefined => {
  if (facts.creditBlocked) return new CreditBalanceExhausted()
  if (facts.sender === undefined) return new PhoneNumberNotFound({ param: "sender.id" })
  if (isSuspended(facts.sender, now)) return new PhoneServiceSuspended()
  const wait = takeToken()
  if (wait !== undefined) return emptyBucket("messages", "phone number", wait)
  if (facts.overSpendCap) return new SpendLimitExceeded()
  if (facts.group !== undefined) return facts.group
  if (facts.reply) {
    const param = "reply_to.message_id"
    if (facts.reply.target === undefined) return new ReplyTargetNotFound({ param })
    if (facts.reply.target.provider_message_id === null) return new ReplyTargetUnavailable({ param })
  }
  if (facts.content !== undefined) return facts.content
  if (facts.optedOut) return new ContactOptedOut({ param: "recipient.id" })
  if (needsWindow(facts.channel, facts.type) && !isWindowOpen(facts.latestInboundAt, now)) {
    return new ServiceWindowRequired({ param: "message.type" })
  }
  return undefined
}
