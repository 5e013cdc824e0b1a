import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import { Schema } from "effect"

/** A template, flow or other object that a send names and whose rows decide. For other sends nothing is read. */
export const NamedThing = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Template"), name: Schema.String, language: Schema.String }),
  Schema.Struct({
    _tag: Schema.Literal("Flow"),
    flow_id: Schema.UndefinedOr(Schema.String),
    flow_name: Schema.UndefinedOr(Schema.String)
  }),
  Schema.Struct({ _tag: Schema.Literal("Reaction"), message_id: Schema.String })
])
export type NamedThing = typeof NamedThing.Type

/** Returns the object that a content names, if any. */
export const namedBy = (content: OutboundContent): NamedThing | undefined => {
  switch (content.type) {
    case "template":
      return { _tag: "Template", name: content.template.name, language: content.template.language }
    case "flow": {
      const { flow_id, flow_name } = content.flow.action.parameters
      return { _tag: "Flow", flow_id, flow_name }
    }
    case "reaction":
      return { _tag: "Reaction", message_id: content.reaction.message_id }
    default:
      return undefined
  }
}
