import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { speechAsset } from "@carteiro/schema/media/MediaAsset.ts"
import type { InboundContent, MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import type { Message } from "@carteiro/schema/messages/Message.ts"
import { businessTypes, customerTypes, type MessageType, recipientType } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, madeJson, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { firstEvents, type MessageRow } from "./MessageRead.ts"
import { sentMedia } from "./SentMedia.ts"

/** The columns of a row that a list shows. */
export type ItemRow = Omit<
  MessageRow,
  "environment_id" | "business_phone" | "customer_key" | "batch_id" | "context_json" | "provider_json"
>

/** Files in their present state, by asset id. */
export type Files = ReadonlyMap<string, MediaDescriptor>

/**
 * Returns a message in the form of lists, as JSON text, which costs a third of the work of an object that is serialized
 * afterwards. JSON columns are inserted unchanged. M-READ-11..31, gaps-2 B "Plain list rows"
 */
export const itemText = (row: ItemRow, environment: EnvironmentKind, files: Files = noFiles): string =>
  textOf(row, environment, files, "")

/** Returns a message with `context` and `payload`, in the form of detail and `include=payload` reads. M-READ-20..24 */
export const messageText = (row: MessageRow, environment: EnvironmentKind, files: Files = noFiles): JsonText<Message> =>
  madeJson(textOf(row, environment, files, `"context":${row.context_json},"payload":${payloadText(row)},`))

/** Returns that text as a value. */
export const messageBody = (row: MessageRow, environment: EnvironmentKind): Message =>
  readJson(messageText(row, environment))

/** Returns the asset that a media message shows: from the library, captured, or rendered as speech. M-READ-17 */
export const fileOf = ({
  content_json,
  id,
  type
}: Pick<MessageRow, "content_json" | "id" | "type">): string | undefined => {
  const content = type === "media" ? readJsonOrNull(content_json) : null
  if (content?.type !== "media") return undefined
  const { media } = content
  return media.asset_id ?? ("source" in media && media.source ? speechAsset(id) : undefined)
}

const noFiles: Files = new Map()

const textOf = (row: ItemRow, environment: EnvironmentKind, files: Files, inner: string): string => {
  const created = formatTimestamp(row.created_at)
  const updated = row.updated_at === row.created_at ? created : formatTimestamp(row.updated_at)
  let text = `{"id":"${row.id}","object":"message","channel":"${row.channel}","direction":"${row.direction}",`
  text += `"type":"${row.type}","status":"${row.status}","status_reason":${quoted(row.status_reason)},`
  text += `"environment":"${environment}",${sidesText(row)},"provider":${quoted(row.provider)},`
  text += `"provider_message_id":${quoted(row.provider_message_id)},${templateText(row)},${contentText(row, files)},`
  text += `${inner}"metadata":${row.metadata_json},"error_code":${quoted(row.error_code)},`
  text += `"error_message":${quoted(row.error_message)},"provider_error":${row.provider_error_json},`
  if (row.pricing_json !== null) text += `"pricing":${row.pricing_json},`
  text += `"trace_id":"${row.trace_id}","created_at":"${created}","updated_at":"${updated}",`
  text += `"redacted_at":${instant(row.redacted_at)},"delivery_unconfirmed_at":${instant(row.delivery_unconfirmed_at)},`
  if (row.provider_group_id !== null) {
    text += `"group_id":${quoted(row.group_id)},"provider_group_id":${quoted(row.provider_group_id)},`
  }
  if (row.source !== null) text += `"source":${quoted(row.source)},`
  if (row.edited_at !== null) text += `"edited_at":${instant(row.edited_at)},`
  if (row.revoked_at !== null) text += `"revoked_at":${instant(row.revoked_at)},`
  return `${text}"events":${row.events_json ?? firstEvents(row, created)}}`
}

const sidesText = (row: ItemRow): string => {
  const { business_id, channel, customer_id, customer_name, customer_user_id, customer_username, direction } = row
  const business = `"type":"${businessTypes[channel]}","id":"${business_id}"`
  if (direction === "inbound") {
    const customer = `"type":"${customerTypes[channel]}","id":${quoted(customer_id)}`
    const names = `"user_id":${quoted(customer_user_id)},"username":${quoted(customer_username)}`
    return `"sender":{${customer},"profile_name":${quoted(customer_name)},${names}},"recipient":{${business}}`
  }
  const recipient = `"type":"${recipientType(channel, customer_id)}","id":${quoted(customer_id)}`
  return `"sender":{${business},"profile_name":null},"recipient":{${recipient}}`
}

const templateText = (row: ItemRow): string => {
  const { template_id, template_name, template_version, template_version_id } = row
  if (template_name === null && template_id === null) return withoutTemplate
  const version = `"template_version_id":${quoted(template_version_id)},"template_version":${template_version}`
  return `"template_name":${quoted(template_name)},"template_id":${quoted(template_id)},${version}`
}

const withoutTemplate = '"template_name":null,"template_id":null,"template_version_id":null,"template_version":null'

const contentText = (row: ItemRow, files: Files): string => {
  const { content_json, type } = row
  if (content_json === null || !shownTypes.has(type)) return withoutContent
  const inbound = isReported(row) ? (readJson(content_json) as InboundContent) : null
  const media = withOwnWords(files.get(fileOf(row) ?? ""), row, inbound) ?? mediaOf(row, inbound)
  const unsupported = inbound?.type === "unsupported" ? inbound.unsupported : null
  const unknown = inbound?.type === "unknown" ? inbound.unknown : null
  return JSON.stringify({ media, unsupported, unknown }).slice(1, -1)
}

/** True for a message whose content the provider reported: a customer's, and one that staff sent in the phone app. */
const isReported = ({ direction, source }: Pick<ItemRow, "direction" | "source">): boolean =>
  direction === "inbound" || source !== null

/** Types of which reads show more than their payload. */
const shownTypes: ReadonlySet<MessageType> = new Set(["media", "unsupported", "unknown"])
const withoutContent = '"media":null,"unsupported":null,"unknown":null'

/**
 * Returns a file under the name that its message gives it, which is the one that was sent, and with the text that a
 * customer wrote under it. U-SND-01, U-MED-01
 */
const withOwnWords = (
  file: MediaDescriptor | undefined,
  { content_json, direction }: ItemRow,
  inbound: InboundContent | null
) => {
  if (file !== undefined && inbound?.type === "media") {
    const { caption } = inbound.media
    return caption === undefined ? file : { ...file, caption }
  }
  const content = file === undefined || direction === "inbound" ? null : readJsonOrNull(content_json)
  const own = content?.type === "media" && "filename" in content.media ? content.media.filename : null
  return file === undefined || !own ? file : { ...file, filename: own }
}

const mediaOf = (row: ItemRow, inbound: InboundContent | null): Message["media"] => {
  if (row.type !== "media") return null
  return inbound === null ? sentMedia(row) : inbound.type === "media" ? inbound.media : null
}

const payloadText = (row: MessageRow): string =>
  isReported(row) || row.redacted_at !== null
    ? `${row.provider_json}`
    : `{"request":${row.content_json},"response":${row.provider_json}}`

const quoted = (text: string | null): string =>
  text === null ? "null" : isPlain.test(text) ? `"${text}"` : JSON.stringify(text)

/** Matches a text that stands in JSON without escapes. */
const isPlain = /^[ !#-[\]-~]*$/

const instant = (millis: number | null): string => (millis === null ? "null" : `"${formatTimestamp(millis)}"`)
