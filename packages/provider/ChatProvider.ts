import { Context, Effect } from "effect"
import type { ChatContent } from "./ChatContent.ts"

/** One reserved message to send. */
export interface ChatSend {
  /** Travels with the message where the provider allows it, so that a later status can be matched. */
  readonly message_id: string
  readonly channel: ChatChannel
  readonly sender: { readonly id: string; readonly phone: string | null }
  readonly recipient: string
  /** True when the recipient is the provider's id of a group. U-SND-11 */
  readonly is_group?: boolean
  readonly content: ChatContent
  /** The provider's id of the quoted message. */
  readonly reply_to: string | null
}

export type ChatChannel = "chatapp" | "socialapp" | "chatapp_channel"

/** A refusal from the provider, in its own numbers. */
export interface ChatRefusal {
  readonly provider: string
  readonly code: number | null
  readonly subcode: number | null
  readonly title: string | null
  readonly message: string | null
  readonly http_status: number | null
}

/** The reason why an attempt was certainly not taken, for the retry schedule. gaps-2 D, E */
export type NotSentReason =
  /** No connection, or a full or failing server that said so. gaps-2 E "Retry policy" */
  | "transient"
  /** The number is over its rate. gaps-2 D "Throughput exhaustion" */
  | "throughput"
  /** The pair of sender and recipient is over its rate. gaps-2 D "Throughput exhaustion" */
  | "pair"

/** The result of one attempt. M-DLV-22, M-DLV-23 */
export type ChatAnswer =
  /** `response` is the raw response, kept for reads. */
  | { readonly _tag: "Accepted"; readonly provider_message_id: string; readonly response: unknown }
  /** Certainly refused; `code` is the delivery code of the message. */
  | { readonly _tag: "Rejected"; readonly code: string; readonly error: ChatRefusal | null }
  /** Certainly not taken: it may be retried. `code` is the delivery code once retries end. */
  | {
      readonly _tag: "NotSent"
      readonly reason: NotSentReason
      readonly code: string
      readonly error: ChatRefusal | null
    }
  /** The provider may have it: it is never sent again. */
  | { readonly _tag: "Unknown" }

/** The result of a call without a message; `error` is the provider's reason, if it gave one. */
export type ChatCall<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly code: string; readonly error: ChatRefusal | null }
  /** No response, or one that asks for a retry: the effect is unknown. */
  | { readonly _tag: "Failed"; readonly error: ChatRefusal | null }

/** Port to a chat platform, as one sender's account reaches it. */
export interface ChatProvider {
  /** Shown as `provider` on reads. */
  readonly name: "upstream"
  /** Sends one message. Every failure is a result. */
  readonly send: (send: ChatSend) => Effect.Effect<ChatAnswer>
  /** Marks an inbound message as read and, with `typing`, shows the customer a typing indicator. */
  readonly acknowledge: (provider_message_id: string, typing: boolean) => Effect.Effect<ChatCall<void>>
}

/** The account that sends a message. */
export interface ChatSender {
  readonly environment_id: string
  readonly channel: ChatChannel
  /** The phone number (`pn_`) or connected account of the environment. */
  readonly business_id: string
}

/** The connection that a sender uses now; `code` is the delivery code that ends a message before any call. M-CONN-19 */
export type ChatConnection =
  | { readonly _tag: "Connected"; readonly provider: ChatProvider }
  | { readonly _tag: "Unavailable"; readonly code: string }

/** The result for a sender without a connection. */
export const notConnected: ChatConnection = { _tag: "Unavailable", code: "no_provider_connection" }

/**
 * Returns the connected provider of a sender; without adapters no sender is connected. gaps-2 E "Choice of connection"
 */
export const ConnectedChat = Context.Reference<(sender: ChatSender) => Effect.Effect<ChatConnection>>(
  "@carteiro/provider/ConnectedChat",
  { defaultValue: () => () => Effect.succeed(notConnected) }
)
