import { Context, Effect } from "effect"

/** One reserved message on its way out. */
export interface ChatSend {
  /** Travels with the message where the provider allows it, so that a later status finds its way back. */
  readonly message_id: string
  readonly channel: "chatapp" | "socialapp" | "chatapp_channel"
  readonly sender: { readonly id: string; readonly phone: string | null }
  readonly recipient: string
  readonly type: string
  /** The content as accepted, JSON text. */
  readonly content: string
  /** The provider's id of the quoted message. */
  readonly reply_to: string | null
  /** Names the course of a simulated message; a real provider ignores it. */
  readonly scenario: string | null
}

/** What a provider says about a refusal, in its own numbers. */
export interface ChatRefusal {
  readonly provider: string
  readonly code: number | null
  readonly subcode: number | null
  readonly title: string | null
  readonly message: string | null
  readonly http_status: number | null
}

/** How one attempt ended. M-DLV-22, M-DLV-23 */
export type ChatAnswer =
  /** `response` is the raw answer, kept for reads. */
  | { readonly _tag: "Accepted"; readonly provider_message_id: string; readonly response: unknown }
  /** Definitely refused; `code` is the delivery code to stamp. */
  | { readonly _tag: "Rejected"; readonly code: string; readonly error: ChatRefusal | null }
  /** Certainly not sent, not one byte: it may be tried again. */
  | { readonly _tag: "NotSent" }
  /** The provider may have it: never replayed. */
  | { readonly _tag: "Unknown" }

/** Port to a chat platform. */
export interface ChatProvider {
  /** Shown as `provider` on reads. */
  readonly name: "upstream" | "sandbox"
  /** True when nothing leaves the process: then no reservation has to be durable before the call. */
  readonly inProcess: boolean
  /** One answer a message, in order. Whatever goes wrong is an answer. */
  readonly send: (sends: ReadonlyArray<ChatSend>) => Effect.Effect<ReadonlyArray<ChatAnswer>>
}

/** Whose account a message leaves through. */
export interface ChatSender {
  readonly environment_id: string
  readonly channel: ChatSend["channel"]
  readonly business_id: string
}

/** Finds the connected provider of a sender; without adapters nobody is connected. */
export const ConnectedChat = Context.Reference<(sender: ChatSender) => Effect.Effect<ChatProvider | undefined>>(
  "@carteiro/provider/ConnectedChat",
  { defaultValue: () => () => Effect.succeed(undefined) }
)
