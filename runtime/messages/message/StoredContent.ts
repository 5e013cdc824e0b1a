import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import type { ReactionContent } from "@carteiro/schema/messages/content/ReactionContent.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"

/** A reaction as stored: with the provider's id of its target. */
export interface StoredReaction extends ReactionContent {
  readonly provider_message_id: string
}

type SentTemplate = Extract<OutboundContent, { readonly type: "template" }>["template"]

/** The values of a button that the product fills: an answer's payload, or the token of a flow. U-SND-04 */
type FilledComponent =
  | {
      readonly type: "button"
      readonly sub_type: "quick_reply"
      readonly index: number
      readonly parameters: readonly [{ readonly type: "payload"; readonly payload: string }]
    }
  | {
      readonly type: "button"
      readonly sub_type: "flow"
      readonly index: number
      readonly parameters: readonly [{ readonly type: "action"; readonly action: { readonly flow_token: string } }]
    }

/** The values of a component as stored: the caller's, and those that the product adds. */
export type StoredComponent = NonNullable<SentTemplate["components"]>[number] | FilledComponent

/** A template as stored: with the values of every button that demands some. */
type StoredTemplate = Omit<SentTemplate, "components"> & {
  readonly components?: ReadonlyArray<StoredComponent>
}

/** The content of a send as its row stores it: a reaction and a flow name their target by the provider's id. */
export type StoredOutbound =
  | Exclude<OutboundContent, { readonly type: "reaction" | "template" }>
  | { readonly type: "template"; readonly template: StoredTemplate }
  | { readonly type: "reaction"; readonly reaction: StoredReaction }

/** The content of a message of either direction as its row stores it. */
export type StoredContent = StoredOutbound | InboundContent
