import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { InboundContent, MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import type { Message, MessageAccepted, MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import type {
  MessageProgressData,
  MessageProgressType,
  MessageReceivedData
} from "@carteiro/schema/messages/MessageEvents.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { businessTypes, type Channel, customerTypes, type Direction } from "@carteiro/schema/messages/Vocabulary.ts"
import type { SimulatedInbound } from "@carteiro/schema/sandbox/Sandbox.ts"
import type { RecordedEvent } from "./MessageState.ts"
import { sentMedia } from "./SentMedia.ts"

/**
 * One row of `messages`. The two sides are stored by role, not by direction, so that a conversation is one key for both
 * ways. Instants are epoch milliseconds; `*_json` hold JSON text. gaps-2 B "Inner read shapes"
 */
export interface MessageRow {
  readonly id: string
  readonly environment_id: string
  readonly channel: Channel
  readonly direction: Direction
  readonly type: MessageType
  readonly status: MessageStatus
  readonly status_reason: string | null
  /** The phone number (`pn_`) or connected account of the environment. */
  readonly business_id: string
  /** Its number in E.164 at acceptance, null where it has none. */
  readonly business_phone: string | null
  /** The customer as shown: `+digits`, an opaque id, or empty when the phone was withheld. M-READ-13 */
  readonly customer_id: string
  /** What conversations, windows and consent compare. */
  readonly customer_key: string
  readonly customer_name: string | null
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly template_name: string | null
  readonly template_id: string | null
  readonly template_version_id: string | null
  readonly template_version: number | null
  readonly batch_id: string | null
  /** Null once redacted. */
  readonly content_json: string | null
  readonly context_json: string | null
  /** Outbound: the provider's answer. Inbound: the provider's raw message. */
  readonly provider_json: string | null
  readonly metadata_json: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly provider_error_json: string | null
  /** Null until a second step follows the acceptance or capture. */
  readonly events_json: string | null
  readonly trace_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly redacted_at: number | null
  readonly delivery_unconfirmed_at: number | null
}

/** What of a message its 202 shows. */
export type AcceptedRow = Pick<
  MessageRow,
  | "id"
  | "status"
  | "status_reason"
  | "channel"
  | "template_id"
  | "template_version_id"
  | "template_version"
  | "created_at"
  | "trace_id"
>

/** The 202 of a send. M-MSG-03..13 */
export const acceptedBody = (row: AcceptedRow, environment: EnvironmentKind): MessageAccepted => ({
  id: row.id,
  object: "message",
  status: row.status,
  status_reason: row.status_reason,
  channel: row.channel,
  environment,
  template_id: row.template_id,
  template_version_id: row.template_version_id,
  template_version: row.template_version,
  created_at: formatTimestamp(row.created_at),
  trace_id: row.trace_id
})

/** A message read; `full` adds `context` and `payload`, as detail and `include=payload` reads show. M-READ-11..31 */
export const messageBody = (
  row: MessageRow,
  environment: EnvironmentKind,
  full: boolean,
  files: ReadonlyMap<string, MediaDescriptor> = noFiles
): Message => {
  const content = inboundContent(row)
  return {
    id: row.id,
    object: "message",
    channel: row.channel,
    direction: row.direction,
    type: row.type,
    status: row.status,
    status_reason: row.status_reason,
    environment,
    sender: senderOf(row),
    recipient: recipientOf(row),
    provider: row.provider,
    provider_message_id: row.provider_message_id,
    template_name: row.template_name,
    template_id: row.template_id,
    template_version_id: row.template_version_id,
    template_version: row.template_version,
    media: files.get(fileOf(row) ?? "") ?? mediaOf(row, content),
    unsupported: content?.type === "unsupported" ? content.unsupported : null,
    unknown: content?.type === "unknown" ? content.unknown : null,
    ...(full ? { context: parsed(row.context_json), payload: payloadOf(row) } : undefined),
    metadata: parsed(row.metadata_json),
    error_code: row.error_code,
    error_message: row.error_message,
    provider_error: parsed(row.provider_error_json),
    trace_id: row.trace_id,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    redacted_at: instant(row.redacted_at),
    delivery_unconfirmed_at: instant(row.delivery_unconfirmed_at),
    events: parsed(row.events_json) ?? [firstEvent(row)]
  }
}

/** The asset that a media message shows: the library's, or the one that was captured. M-READ-17 */
export const fileOf = ({ content_json, type }: Pick<MessageRow, "content_json" | "type">): string | undefined => {
  if (type !== "media") return undefined
  const content = parsed<{ readonly media?: { readonly asset_id?: string | null } }>(content_json)
  return content?.media?.asset_id ?? undefined
}

const noFiles: ReadonlyMap<string, MediaDescriptor> = new Map()

/** What of a captured message its 202 shows. */
export type CapturedRow = AnnouncedRow &
  Pick<MessageRow, "type" | "provider" | "provider_json" | "trace_id" | "created_at">

/** The 202 of an inbound simulation: these members and no other. M-SBX-16 */
export const simulatedBody = (row: CapturedRow, environment: EnvironmentKind): SimulatedInbound => ({
  id: row.id,
  object: "message",
  direction: "inbound",
  channel: row.channel,
  type: row.type,
  status: "received",
  environment,
  sender: senderOf(row),
  recipient: recipientOf(row),
  provider: row.provider,
  provider_message_id: row.provider_message_id,
  payload: parsed(row.provider_json),
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at)
})

/** What of a message its events show. */
export type AnnouncedRow = Pick<
  MessageRow,
  | "id"
  | "channel"
  | "direction"
  | "business_id"
  | "business_phone"
  | "customer_id"
  | "customer_name"
  | "provider_message_id"
  | "content_json"
  | "metadata_json"
  | "error_code"
  | "error_message"
>

/** The `data` of the event an outbound message raises, from the row as the commit leaves it. M-EVT-01..03 */
export const progressData = (row: AnnouncedRow, type: MessageProgressType): MessageProgressData => {
  const { error_code, error_message } = row
  const shared = {
    provider_message_id: row.provider_message_id,
    metadata: parsed<Metadata>(row.metadata_json),
    to: row.customer_id,
    from: row.business_phone,
    sender: { profile_name: null }
  }
  switch (type) {
    case "message.sent":
      return { message_id: row.id, status: "sent", ...shared }
    case "message.delivered":
      return { message_id: row.id, status: "delivered", ...shared }
    case "message.read":
      return { message_id: row.id, status: "read", ...shared }
    case "message.failed":
      return { message_id: row.id, status: "failed", ...shared, error_code, error_message }
  }
}

/** The `data` of message.received, from a captured row and its content as JSON. M-EVT-03, M-EVT-04 */
export const receivedData = (row: AnnouncedRow, content_json: string): MessageReceivedData => ({
  message_id: row.id,
  status: "received",
  provider_message_id: row.provider_message_id,
  metadata: parsed<Metadata>(row.metadata_json),
  channel: row.channel,
  sender: senderOf(row),
  recipient: recipientOf(row),
  content: JSON.parse(content_json) as InboundContent
})

/** A recorded step in the form `events_json` keeps and reads show. gaps-2 B "Inner read shapes" */
export const eventItem = (id: string, event: RecordedEvent): MessageEventItem => ({
  id,
  type: event.type,
  status: event.status,
  occurred_at: formatTimestamp(event.occurred_at),
  error_code: event.error_code,
  details: event.details
})

/** The one entry of a message nothing has happened to since it was accepted or captured: it follows from the row. M-READ-30 */
const firstEvent = (row: Pick<MessageRow, "id" | "direction" | "created_at">): MessageEventItem => {
  const status = row.direction === "inbound" ? "received" : "queued"
  return {
    id: `mev_${row.id.slice("msg_".length)}`,
    type: `message.${status}`,
    status,
    occurred_at: formatTimestamp(row.created_at),
    error_code: null,
    details: null
  }
}

/** That entry written down, as it is with the second one. */
export const firstEvents = (row: Pick<MessageRow, "id" | "direction" | "created_at">): string =>
  JSON.stringify([firstEvent(row)])

/** `events_json` with one more entry, oldest first. M-READ-30 */
export const appendEvent = (events_json: string, item: MessageEventItem): string =>
  events_json === "[]" ? `[${JSON.stringify(item)}]` : `${events_json.slice(0, -1)},${JSON.stringify(item)}]`

const senderOf = (row: AnnouncedRow): Message["sender"] =>
  row.direction === "inbound"
    ? { type: customerTypes[row.channel], id: row.customer_id, profile_name: row.customer_name }
    : { type: businessTypes[row.channel], id: row.business_id, profile_name: null }

const recipientOf = (row: AnnouncedRow): Message["recipient"] =>
  row.direction === "inbound"
    ? { type: businessTypes[row.channel], id: row.business_id }
    : { type: customerTypes[row.channel], id: row.customer_id }

const payloadOf = (row: MessageRow): unknown =>
  row.direction === "inbound" || row.redacted_at !== null
    ? parsed(row.provider_json)
    : { request: parsed(row.content_json), response: parsed(row.provider_json) }

const mediaOf = (row: MessageRow, inbound: InboundContent | null): Message["media"] => {
  if (row.type !== "media") return null
  return row.direction === "outbound" ? sentMedia(row) : inbound?.type === "media" ? inbound.media : null
}

const inboundContent = (row: MessageRow): InboundContent | null =>
  row.direction === "inbound" ? parsed<InboundContent>(row.content_json) : null

/** Rows hold what this service wrote after validation, so reading does not validate again. */
const parsed = <A>(json: string | null): A | null => (json === null ? null : (JSON.parse(json) as A))

const instant = (millis: number | null): string | null => (millis === null ? null : formatTimestamp(millis))
