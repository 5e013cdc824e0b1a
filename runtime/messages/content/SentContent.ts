import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import type { TemplateParameters } from "../../templates/Templates.ts"
import type { SendFacts } from "../facts/SendingFacts.ts"
import type { StoredOutbound } from "../message/StoredContent.ts"
import type { NamedThing } from "./NamedThing.ts"
import { resolveReaction } from "./ReactionTarget.ts"
import { resolveSentFlow } from "./SentFlow.ts"
import { type FrozenTemplate, resolveTemplate } from "./SentTemplate.ts"

/** The columns of a template or a flow that are frozen with the message that names it. */
export interface NamedColumns {
  readonly template_row_version: string | null
  readonly template_name: string | null
  readonly template_id: string | null
  readonly template_version_id: string | null
  readonly template_version: number | null
  readonly template_category: FrozenTemplate["template_category"] | null
  /** Ours; null for a message that opens none, and for a flow that only the provider knows. */
  readonly flow_id: string | null
  readonly flow_token: string | null
}

type HeaderMedia = NonNullable<Extract<OutboundContent, { readonly type: "template" }>["template"]["header_media"]>

/** The content of a send as it is stored. */
export interface SentContent {
  /** With each thing that it names resolved. */
  readonly content: JsonText<StoredOutbound>
  /** Absent when neither template nor flow is named. */
  readonly named?: NamedColumns
  /** Of a template, by where they go. */
  readonly parameters?: TemplateParameters
  /** The file of a template's header; absent without one. */
  readonly header_media?: HeaderMedia | undefined
}

/** A send as far as its content goes. */
interface NamingSend {
  readonly channel: Channel
  readonly customer_key: string
  /** As it was decoded. */
  readonly content: JsonText<OutboundContent>
  readonly names?: NamedThing | undefined
}

/**
 * Resolves what a send names by the facts of its batch: the message a reaction is about, the flow it opens. Sends that
 * name nothing are stored as they are. `now` in epoch milliseconds.
 */
export const resolveContent = (
  item: NamingSend,
  facts: SendFacts,
  now: number
): Result.Result<SentContent, ApiError> => {
  // Only a content that names something differs from the one that is stored.
  const unchanged = item.content as JsonText<StoredOutbound>
  if (item.names === undefined) return Result.succeed({ content: unchanged })
  const content = readJson(item.content)
  switch (content.type) {
    case "template":
      return Result.map(
        resolveTemplate(content.template, facts.template(content.template)),
        ({ parameters, ...template }) => ({
          content: unchanged,
          parameters,
          header_media: content.template.header_media ?? undefined,
          named: { ...namesNothing, ...template }
        })
      )
    case "reaction": {
      const target = facts.quoted.get(content.reaction.message_id)
      return Result.map(resolveReaction(content.reaction, item, target, now), (reaction) => ({
        content: jsonText({ type: "reaction", reaction })
      }))
    }
    case "flow":
      return Result.map(
        resolveSentFlow(content.flow, facts.flow(content.flow.action.parameters)),
        ({ flow, flow_id, flow_token }) => ({
          content: jsonText({ type: "flow", flow }),
          named: { ...namesNothing, flow_id, flow_token }
        })
      )
    default:
      return Result.succeed({ content: unchanged })
  }
}

const namesNothing: NamedColumns = {
  template_row_version: null,
  template_name: null,
  template_id: null,
  template_version_id: null,
  template_version: null,
  template_category: null,
  flow_id: null,
  flow_token: null
}
