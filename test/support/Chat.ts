import type { ChatAnswer, ChatConnection, ChatSend } from "@carteiro/provider/ChatProvider.ts"
import { Effect } from "effect"

type ConnectedSender = Extract<ChatConnection, { readonly _tag: "Connected" }>

/** Returns a connection without sockets whose responses come from the test. */
export const connectionOf = (send: (send: ChatSend) => Effect.Effect<ChatAnswer>): ConnectedSender => ({
  _tag: "Connected",
  provider: { name: "upstream", send, acknowledge: () => Effect.succeed({ _tag: "Done", value: undefined }) }
})

/** The result of a provider that certainly did not take the message. */
export const notSent: ChatAnswer = { _tag: "NotSent", reason: "transient", code: "upstream_rejected", error: null }
