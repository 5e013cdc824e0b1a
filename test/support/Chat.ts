import type { ChatAnswer, ChatConnection, ChatSend } from "@carteiro/provider/ChatProvider.ts"
import { Effect } from "effect"

type ConnectedSender = Extract<ChatConnection, { readonly _tag: "Connected" }>

/** A connection without sockets that answers as the test says. */
export const connectionOf = (send: (send: ChatSend) => Effect.Effect<ChatAnswer>): ConnectedSender => ({
  _tag: "Connected",
  provider: { name: "upstream", send, acknowledge: () => Effect.succeed({ _tag: "Done", value: undefined }) }
})

/** The answer of a provider that certainly did not take the message. */
export const notSent: ChatAnswer = { _tag: "NotSent", reason: "transient", code: "upstream_rejected", error: null }
