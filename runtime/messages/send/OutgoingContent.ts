import type {
  ChatContent,
  ChatFile,
  ChatMediaKind,
  ChatTemplate,
  ChatTemplateValue
} from "@carteiro/provider/ChatContent.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { Result } from "effect"

/** A value of stored content; it was decoded when it was accepted, so that only its presence is open. */
type Stored = { readonly [member: string]: unknown }

const objectOf = (value: unknown): Stored => (typeof value === "object" && value !== null ? (value as Stored) : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/**
 * What a provider is handed of a message: `content` is the JSON text as accepted, `file` the one it names, resolved.
 * Fails with the delivery code of what cannot be made into a message. M-DLV-05, M-DLV-07, M-MSG-18
 */
export const outgoingContent = (
  content: string | null,
  file: ChatFile | undefined
): Result.Result<ChatContent, DeliveryCode> => {
  const message = objectOf(JSON.parse(content ?? "null"))
  switch (message.type) {
    case "text": {
      const { body, preview_url } = objectOf(message.text)
      return Result.succeed({ type: "text", body: textOf(body), preview_url: preview_url === true })
    }
    case "template":
      return template(objectOf(message.template), file)
    case "media":
      return media(objectOf(message.media), file)
    case "interactive":
      return Result.succeed({ type: "interactive", interactive: objectOf(message.interactive) })
    case "flow":
      return Result.succeed(flow(objectOf(message.flow)))
    case "reaction": {
      const { emoji, provider_message_id } = objectOf(message.reaction)
      return Result.succeed({
        type: "reaction",
        provider_message_id: textOf(provider_message_id),
        emoji: textOf(emoji)
      })
    }
    default:
      return Result.fail("upstream_rejected")
  }
}

/** What `media` or `header_media` names when it is the provider's own id. gaps-2 B "Media source shapes" */
const fileOf = (source: Stored, resolved: ChatFile | undefined): ChatFile | undefined =>
  typeof source.id === "string" ? { _tag: "Handle", id: source.id } : resolved

const media = (source: Stored, resolved: ChatFile | undefined): Result.Result<ChatContent, DeliveryCode> => {
  const file = fileOf(source, resolved)
  if (file === undefined) return Result.fail("media_asset_resolution_failed")
  return Result.succeed({
    type: "media",
    kind: source.kind as ChatMediaKind,
    file,
    caption: textOrNull(source.caption),
    filename: textOrNull(source.filename) ?? (file._tag === "Bytes" ? file.filename : null),
    voice: source.voice === true
  })
}

const flow = (source: Stored): ChatContent => ({
  type: "flow",
  body: textOf(objectOf(source.body).text),
  header: textOrNull(objectOf(source.header).text),
  footer: textOrNull(objectOf(source.footer).text),
  parameters: objectOf(objectOf(source.action).parameters)
})

const template = (source: Stored, resolved: ChatFile | undefined): Result.Result<ChatContent, DeliveryCode> => {
  const name = textOrNull(source.name)
  const language = textOrNull(source.language)
  if (name === null || language === null) return Result.fail("invalid_template_payload")
  const components = listOf(source.components).map(objectOf)
  const header = templateHeader(source, components, resolved)
  if (header === undefined) return Result.fail("media_asset_resolution_failed")
  const made: ChatTemplate = {
    name,
    language,
    header,
    body: bodyValues(objectOf(source.variables)),
    buttons: components
      .filter(({ type }) => type === "button")
      .map((button) => ({
        index: Number(button.index),
        text: textOf(objectOf(listOf(button.parameters)[0]).text)
      }))
  }
  return Result.succeed({ type: "template", template: made })
}

/** Undefined for a media header whose file could not be resolved. */
const templateHeader = (
  source: Stored,
  components: ReadonlyArray<Stored>,
  resolved: ChatFile | undefined
): ChatTemplate["header"] | undefined => {
  if (typeof source.header_media === "object" && source.header_media !== null) {
    const named = objectOf(source.header_media)
    const file = fileOf(named, resolved)
    const filename = textOrNull(named.filename)
    const kind = named.kind as "image" | "video" | "document"
    return file === undefined ? undefined : { type: "media", kind, file, filename }
  }
  const header = components.find(({ type }) => type === "header")
  if (header === undefined) return null
  const values = listOf(header.parameters).map(objectOf)
  return {
    type: "text",
    values: values.map((value) => ({ name: textOrNull(value.parameter_name), text: textOf(value.text) }))
  }
}

/** Numeric keys are POSITIONAL and go in their order; any other key is a name. M-MSG-33 */
const bodyValues = (variables: Stored): ReadonlyArray<ChatTemplateValue> => {
  const entries = Object.entries(variables).map(([key, text]) => [key, textOf(text)] as const)
  return entries.every(([key]) => /^[1-9]\d*$/.test(key))
    ? entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, text]) => ({ name: null, text }))
    : entries.map(([name, text]) => ({ name, text }))
}
