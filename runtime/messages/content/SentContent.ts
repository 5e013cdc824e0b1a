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
import { type FrozenTemplate, filledComponents, flowOfButton, resolveTemplate } from "./SentTemplate.ts"

/** The columns of a template or a flow that are frozen with the message that names it. */
export interface NamedColumns {
  readonly template_row_version: string | null
  readonly template_name: string | null
  readonly template_id: string | null
  readonly template_version_id: string | null
  readonly template_version: number | null
  readonly template_category: FrozenTemplate["template_category"] | null
  /** Our id; null for a message without a flow, and for a flow that only the provider knows. */
  readonly flow_id: string | null
  readonly flow_token: string | null
}

/** The columns of a send to a group that names neither template nor flow. */
export const namesNothing: NamedColumns = {
  template_row_version: null,
  template_name: null,
  template_id: null,
  template_version_id: null,
  template_version: null,
  template_category: null,
  flow_id: null,
  flow_token: null
}

type HeaderMedia = NonNullable<Extract<OutboundContent, { readonly type: "template" }>["template"]["header_media"]>

/** The content of a send as stored. */
export interface SentContent {
  /** With each named object resolved. */
  readonly content: JsonText<StoredOutbound>
  /** Absent when neither template nor flow is named. */
  readonly named?: NamedColumns
  /** The parameters of a template, by their places. */
  readonly parameters?: TemplateParameters
  /** The file of a template's header; absent without one. */
  readonly header_media?: HeaderMedia | undefined
}

/** The parts of a send on which its content depends. */
interface NamingSend {
  readonly id: string
  readonly channel: Channel
  readonly customer_key: string
  /** As decoded. */
  readonly content: JsonText<OutboundContent>
  readonly names?: NamedThing | undefined
}

/**
 * Resolves the objects that a send names, by the facts of its batch: the message of a reaction, the flow that it opens.
 * Other sends are stored unchanged. `now` in epoch milliseconds.
 */
export const resolveContent = (
  item: NamingSend,
  facts: SendFacts,
  now: number
): Result.Result<SentContent, ApiError> => {
  // The stored content differs from the decoded one only when it names an object.
  const unchanged = item.content as JsonText<StoredOutbound>
  if (item.names === undefined) return Result.succeed({ content: unchanged })
  const content = readJson(item.content)
  switch (content.type) {
    case "template":
      return Result.map(
        resolveTemplate(content.template, facts.template(content.template)),
        ({ parameters, ...template }) => ({
          content: parameters.filled.length === 0 ? unchanged : withFilled(content.template, parameters, item.id),
          parameters,
          header_media: content.template.header_media ?? undefined,
          named: { ...namesNothing, ...template, ...flowOfButton(parameters, item.id) }
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

/** Adds the values of the buttons that the product fills. U-SND-04 */
const withFilled = (
  template: Extract<OutboundContent, { readonly type: "template" }>["template"],
  parameters: TemplateParameters,
  message_id: string
): JsonText<StoredOutbound> => {
  const components = [...(template.components ?? []), ...filledComponents(parameters, message_id)]
  return jsonText({ type: "template", template: { ...template, components } })
}
