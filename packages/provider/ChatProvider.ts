import { Context, Effect } from "effect"
import type { ChatContent } from "./ChatContent.ts"

/** One reserved message on its way out. */
export interface ChatSend {
  /** Travels with the message where the provider allows it, so that a later status finds its way back. */
  readonly message_id: string
  readonly channel: ChatChannel
  readonly sender: { readonly id: string; readonly phone: string | null }
  readonly recipient: string
  readonly content: ChatContent
  /** The provider's id of the quoted message. */
  readonly reply_to: string | null
}

export type ChatChannel = "chatapp" | "socialapp" | "chatapp_channel"

/** A refusal as the provider tells it, in its own numbers. */
export interface ChatRefusal {
  readonly provider: string
  readonly code: number | null
  readonly subcode: number | null
  readonly title: string | null
  readonly message: string | null
  readonly http_status: number | null
}

/** Why an attempt certainly did not get through, for whoever decides when it is made again. gaps-2 D, E */
export type NotSentReason =
  /** No connection, a full or failing server that said so. gaps-2 E "Retry policy" */
  | "transient"
  /** The number is over its rate. gaps-2 D "Throughput exhaustion" */
  | "throughput"
  /** Sender and recipient together are. gaps-2 D "Throughput exhaustion" */
  | "pair"

/** How one attempt ended. M-DLV-22, M-DLV-23 */
export type ChatAnswer =
  /** `response` is the raw answer, kept for reads. */
  | { readonly _tag: "Accepted"; readonly provider_message_id: string; readonly response: unknown }
  /** Definitely refused; `code` is the delivery code to stamp. */
  | { readonly _tag: "Rejected"; readonly code: string; readonly error: ChatRefusal | null }
  /** Certainly not taken: it may be tried again. `code` is the delivery code to stamp when nobody tries any more. */
  | {
      readonly _tag: "NotSent"
      readonly reason: NotSentReason
      readonly code: string
      readonly error: ChatRefusal | null
    }
  /** The provider may have it: never replayed. */
  | { readonly _tag: "Unknown" }

/** How a call that has no message of ours ended; `error` tells the provider's reason where it gave one. */
export type ChatCall<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly code: string; readonly error: ChatRefusal | null }
  /** No answer, or one that says to come again: nothing is known of its effect. */
  | { readonly _tag: "Failed"; readonly error: ChatRefusal | null }

/** Port to a chat platform, as one sender's account reaches it. */
export interface ChatProvider {
  /** Shown as `provider` on reads. */
  readonly name: "upstream"
  /** The answer to one message. Whatever goes wrong is an answer. */
  readonly send: (send: ChatSend) => Effect.Effect<ChatAnswer>
  /** Marks an inbound message as read and, with `typing`, shows the customer that somebody writes. */
  readonly acknowledge: (provider_message_id: string, typing: boolean) => Effect.Effect<ChatCall<void>>
}

/** Whose account a message leaves through. */
export interface ChatSender {
  readonly environment_id: string
  readonly channel: ChatChannel
  /** The phone number (`pn_`) or connected account of the environment. */
  readonly business_id: string
}

/** The connection by which a sender sends now; `code` is the delivery code that ends a message before any call. M-CONN-19 */
export type ChatConnection =
  | { readonly _tag: "Connected"; readonly provider: ChatProvider }
  | { readonly _tag: "Unavailable"; readonly code: string }

/** Nobody carries messages of this sender. */
export const notConnected: ChatConnection = { _tag: "Unavailable", code: "no_provider_connection" }

/** Finds the connected provider of a sender; without adapters nobody is connected. gaps-2 E "Choice of connection" */
export const ConnectedChat = Context.Reference<(sender: ChatSender) => Effect.Effect<ChatConnection>>(
  "@carteiro/provider/ConnectedChat",
  { defaultValue: () => () => Effect.succeed(notConnected) }
)
