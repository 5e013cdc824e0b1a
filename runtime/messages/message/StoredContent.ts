import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import type { ReactionContent } from "@carteiro/schema/messages/content/ReactionContent.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"

/** A reaction as stored: with the provider's id of its target. */
export interface StoredReaction extends ReactionContent {
  readonly provider_message_id: string
}

/** The content of a send as its row stores it: a reaction and a flow name their target by the provider's id. */
export type StoredOutbound =
  | Exclude<OutboundContent, { readonly type: "reaction" }>
  | { readonly type: "reaction"; readonly reaction: StoredReaction }

/** The content of a message of either direction as its row stores it. */
export type StoredContent = StoredOutbound | InboundContent
