import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import type { ConnectionChannel } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import type { Html } from "./Html.ts"
import { type Saying, say } from "./Language.ts"

/** Returns a channel as people call it. */
export const channelName = (channel: Channel | ConnectionChannel): Html => say(names[channel])

const names: Readonly<Record<Channel | ConnectionChannel, Saying>> = {
  chatapp: "chat app",
  chatapp_channel: "channel of the chat app",
  socialapp: "social network",
  payments: "Payments",
  agentic_payments: "Agentic"
}
