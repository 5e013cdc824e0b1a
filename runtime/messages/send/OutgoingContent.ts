import type {
  ChatContent,
  ChatFile,
  ChatTemplate,
  ChatTemplateButton,
  ChatTemplateValue
} from "@carteiro/provider/ChatContent.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import { headerFile } from "../content/MessageFile.ts"
import type { StoredComponent, StoredOutbound } from "../message/StoredContent.ts"

type StoredOf<Type extends StoredOutbound["type"]> = Extract<StoredOutbound, { readonly type: Type }>
type StoredTemplate = StoredOf<"template">["template"]
type StoredMedia = StoredOf<"media">["media"]
type StoredInteractive = StoredOf<"interactive">["interactive"]

/**
 * Returns the content that a provider receives: `file` is its resolved file. Fails with the delivery code of a content
 * that cannot become a message. M-DLV-05, M-DLV-07, M-MSG-18
 */
export const outgoingContent = (
  content: JsonText<StoredOutbound> | null,
  file: ChatFile | undefined
): Result.Result<ChatContent, DeliveryCode> => {
  const message = readJsonOrNull(content)
  switch (message?.type) {
    case "text": {
      const { body, preview_url = false } = message.text
      return Result.succeed({ type: "text", body, preview_url })
    }
    case "template":
      return template(message.template, file)
    case "media":
      return media(message.media, file)
    case "interactive":
      return interactive(message.interactive, file)
    case "flow": {
      const { action, body } = message.flow
      return Result.succeed({ type: "flow", body: body.text, parameters: action.parameters })
    }
    case "reaction": {
      const { emoji, provider_message_id } = message.reaction
      return Result.succeed({ type: "reaction", provider_message_id, emoji })
    }
    case "location":
      return Result.succeed({ type: "location", location: message.location })
    case "contacts":
      return Result.succeed({ type: "contacts", contacts: message.contacts })
    // The content was erased after acceptance.
    case undefined:
      return Result.fail("upstream_rejected")
  }
}

/** Returns the provider's own file when its id is named, else the resolved one. gaps-2 B "Media source shapes" */
const fileOf = (source: { readonly id?: string }, resolved: ChatFile | undefined): ChatFile | undefined =>
  source.id === undefined ? resolved : { _tag: "Handle", id: source.id, filename: null }

const media = (source: StoredMedia, resolved: ChatFile | undefined): Result.Result<ChatContent, DeliveryCode> => {
  const file = fileOf(source, resolved)
  if (file === undefined) return Result.fail("media_asset_resolution_failed")
  return Result.succeed({
    type: "media",
    kind: source.kind,
    file,
    caption: source.caption || null,
    filename: source.filename || file.filename,
    voice: source.voice === true
  })
}

/** Returns content to tap, with the file of its header. U-SND-06 */
const interactive = (
  source: StoredInteractive,
  resolved: ChatFile | undefined
): Result.Result<ChatContent, DeliveryCode> => {
  const content = { type: "interactive", interactive: source } as const
  const header = headerFile(source)
  if (header === undefined) return Result.succeed(content)
  const file = fileOf(header, resolved)
  if (file === undefined) return Result.fail("media_asset_resolution_failed")
  const { filename, kind } = header
  return Result.succeed({ ...content, header: { kind, file, filename: filename || file.filename } })
}

const template = (source: StoredTemplate, resolved: ChatFile | undefined): Result.Result<ChatContent, DeliveryCode> => {
  const { components = [], language, name, variables = {} } = source
  // An earlier release may have stored a template without them.
  if (!name || !language) return Result.fail("invalid_template_payload")
  const header = templateHeader(source, resolved)
  if (header === undefined) return Result.fail("media_asset_resolution_failed")
  const buttons = components.filter(({ type }) => type === "button").map(templateButton)
  return Result.succeed({
    type: "template",
    template: { name, language, header, body: bodyValues(variables), buttons }
  })
}

const templateButton = (component: StoredComponent): ChatTemplateButton => {
  const index = Number(component.index)
  switch (component.sub_type) {
    case "quick_reply":
      return { index, type: "quick_reply", payload: component.parameters[0].payload }
    case "flow":
      return { index, type: "flow", flow_token: component.parameters[0].action.flow_token }
    case "copy_code":
      return { index, type: "copy_code", coupon_code: component.parameters[0]?.coupon_code ?? "" }
    default:
      return { index, type: "url", text: component.parameters[0]?.text ?? "" }
  }
}

/** Returns undefined for a media header whose file could not be resolved. */
const templateHeader = (
  { components = [], header_media }: StoredTemplate,
  resolved: ChatFile | undefined
): ChatTemplate["header"] | undefined => {
  if (header_media !== undefined) {
    const file = fileOf(header_media, resolved)
    const { filename, kind } = header_media
    return file === undefined ? undefined : { type: "media", kind, file, filename: filename || file.filename }
  }
  const [header] = components.flatMap((component) => (component.type === "header" ? [component] : []))
  if (header === undefined) return null
  return {
    type: "text",
    values: header.parameters.map(({ parameter_name, text }) => ({ name: parameter_name || null, text: text ?? "" }))
  }
}

/** Returns the values of the body: numeric keys are POSITIONAL and in their order; any other key is a name. M-MSG-33 */
const bodyValues = (variables: Readonly<Record<string, string>>): ReadonlyArray<ChatTemplateValue> => {
  const entries = Object.entries(variables)
  return entries.every(([key]) => /^[1-9]\d*$/.test(key))
    ? entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, text]) => ({ name: null, text }))
    : entries.map(([name, text]) => ({ name, text }))
}
