import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { variants } from "../../conventions/Variants.ts"
import { FlowContent } from "./FlowContent.ts"
import { InteractiveContent } from "./InteractiveContent.ts"
import { base64Length, type InlineMedia, MediaContent } from "./MediaContent.ts"
import { ContactsContent, LocationContent, TextContent } from "./PlainContent.ts"
import { ReactionContent } from "./ReactionContent.ts"
import { TemplateContent } from "./TemplateContent.ts"

/** Every type of POST /v1/messages; the object named by the type is required. M-MSG-18, M-MSG-21, U-SND-06 */
export const OutboundMessage = Schema.Struct({
  type: Schema.Literals([
    "text",
    "template",
    "media",
    "interactive",
    "flow",
    "reaction",
    "location",
    "contacts"
  ]).annotate({
    description: "Type of the content; the member of that name holds it."
  }),
  text: optional(TextContent),
  template: optional(TemplateContent),
  media: optional(MediaContent),
  interactive: optional(InteractiveContent),
  flow: optional(FlowContent),
  reaction: optional(ReactionContent),
  location: optional(LocationContent),
  contacts: optional(ContactsContent)
})
  .annotate({
    description: "The content.",
    ...variants("type", {
      text: { schema: "OutboundText", requires: ["text"] },
      template: { schema: "OutboundTemplate", requires: ["template"] },
      media: { schema: "OutboundMedia", requires: ["media"] },
      interactive: { schema: "OutboundInteractive", requires: ["interactive"] },
      flow: { schema: "OutboundFlow", requires: ["flow"] },
      reaction: { schema: "OutboundReaction", requires: ["reaction"] },
      location: { schema: "OutboundLocation", requires: ["location"] },
      contacts: { schema: "OutboundContacts", requires: ["contacts"] }
    })
  })
  .check(
    Schema.makeFilter((message) =>
      message[message.type] ? undefined : { path: [message.type], issue: `required with type ${message.type}` }
    )
  )
export type OutboundMessage = typeof OutboundMessage.Type

/** A value without the caller's nulls; lists keep their items. */
type WithoutNulls<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<WithoutNulls<Item>>
    : A extends object
      ? { readonly [K in keyof A]: WithoutNulls<Exclude<A[K], null>> }
      : A

/** An inline file without its bytes, which are not stored in message rows. */
export type StoredInline = Omit<WithoutNulls<InlineMedia>, "data_base64"> & { readonly byte_length: number }

/** A file as it is stored with its message. */
export type StoredMedia = Omit<WithoutNulls<MediaContent>, "inline"> & { readonly inline?: StoredInline }

/** The content that is stored and sent: the type and its one object, without the caller's nulls. */
export type OutboundContent =
  | { readonly type: "text"; readonly text: WithoutNulls<TextContent> }
  | { readonly type: "template"; readonly template: WithoutNulls<TemplateContent> }
  | { readonly type: "media"; readonly media: StoredMedia }
  | { readonly type: "interactive"; readonly interactive: WithoutNulls<InteractiveContent> }
  | { readonly type: "flow"; readonly flow: WithoutNulls<FlowContent> }
  | { readonly type: "reaction"; readonly reaction: ReactionContent }
  | { readonly type: "location"; readonly location: WithoutNulls<LocationContent> }
  | { readonly type: "contacts"; readonly contacts: WithoutNulls<ContactsContent> }

/**
 * Returns the content of an accepted message. It never fails, because decoding has checked that the named object
 * exists.
 */
export const contentOf = (message: OutboundMessage): OutboundContent => {
  switch (message.type) {
    case "text": {
      const { body, preview_url } = message.text as TextContent
      return { type: "text", text: typeof preview_url === "boolean" ? { body, preview_url } : { body } }
    }
    case "media": {
      const { inline, ...media } = withoutNulls(message.media as MediaContent)
      return { type: "media", media: inline === undefined ? media : { ...media, inline: storedInline(inline) } }
    }
    case "flow":
      return { type: "flow", flow: flowOf(message.flow as FlowContent) }
    case "template":
      return { type: "template", template: withoutNulls(message.template as TemplateContent) }
    case "interactive":
      return { type: "interactive", interactive: withoutNulls(message.interactive as InteractiveContent) }
    case "reaction": {
      const { emoji, message_id } = message.reaction as ReactionContent
      return { type: "reaction", reaction: { message_id, emoji } }
    }
    case "location":
      return { type: "location", location: withoutNulls(message.location as LocationContent) }
    case "contacts":
      return { type: "contacts", contacts: withoutNulls(message.contacts as ContactsContent) }
  }
}

// The payload is the caller's own and keeps its nulls.
const flowOf = (flow: FlowContent): WithoutNulls<FlowContent> => {
  const { flow_action_payload: payload } = flow.action.parameters
  const kept = withoutNulls(flow)
  return payload === undefined || payload === null
    ? kept
    : {
        ...kept,
        action: { ...kept.action, parameters: { ...kept.action.parameters, flow_action_payload: payload } }
      }
}

const storedInline = ({ data_base64, ...rest }: WithoutNulls<InlineMedia>): StoredInline => ({
  ...rest,
  byte_length: base64Length(data_base64)
})

const withoutNulls = <A>(value: A): WithoutNulls<A> => {
  if (Array.isArray(value)) return value.map(withoutNulls) as WithoutNulls<A>
  if (typeof value !== "object" || value === null) return value as WithoutNulls<A>
  const kept = Object.entries(value).flatMap(([name, member]) =>
    member === null || member === undefined ? [] : [[name, withoutNulls(member)] as const]
  )
  return Object.fromEntries(kept) as WithoutNulls<A>
}
