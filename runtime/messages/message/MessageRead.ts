import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type {
  Message,
  MessageAccepted,
  MessageContext,
  MessageEventItem,
  MessagePricing,
  ProviderError
} from "@carteiro/schema/messages/Message.ts"
import type {
  MessageProgressData,
  MessageProgressType,
  MessageReceivedData
} from "@carteiro/schema/messages/MessageEvents.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { businessTypes, customerTypes, recipientType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { SimulatedInbound } from "@carteiro/schema/sandbox/Sandbox.ts"
import { type JsonText, jsonText, madeJson, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { RecordedEvent } from "./MessageState.ts"
import type { messageRowColumns } from "./MessageTables.ts"
import type { StoredContent } from "./StoredContent.ts"

/** The names of columns with JSON in a `MessageRow`. */
export const jsonNames = {
  content: "content_json",
  context: "context_json",
  provider_payload: "provider_json",
  metadata: "metadata_json",
  provider_error: "provider_error_json",
  events: "events_json",
  pricing: "pricing_json"
} as const

/**
 * One row of `messages`. The two sides are stored by role, not by direction, so that a conversation has one key for
 * both ways. Instants are epoch milliseconds. gaps-2 B "Inner read shapes"
 */
export interface MessageRow extends Omit<SelectedRow<typeof messageRowColumns>, keyof typeof jsonNames> {
  /** Null once redacted. */
  readonly content_json: JsonText<StoredContent> | null
  readonly context_json: JsonText<MessageContext> | null
  /** Outbound: the provider's response. Inbound: the provider's raw message. */
  readonly provider_json: JsonText<unknown> | null
  readonly metadata_json: JsonText<Metadata> | null
  readonly provider_error_json: JsonText<ProviderError> | null
  /** Null until a second step follows the acceptance or capture. */
  readonly events_json: JsonText<ReadonlyArray<MessageEventItem>> | null
  /** Null while the provider says nothing of its price. U-STA-01 */
  readonly pricing_json: JsonText<MessagePricing> | null
}

/** The columns of a message that its 202 shows. */
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

/** Returns the 202 of a send. M-MSG-03..13 */
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

/** The columns of a captured message that its 202 shows. */
export type CapturedRow = AnnouncedRow &
  Pick<MessageRow, "type" | "provider" | "provider_json" | "trace_id" | "created_at">

/** Returns the 202 of an inbound simulation: these members and no other. M-SBX-16 */
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
  payload: readJsonOrNull(row.provider_json),
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at)
})

/** The columns of a message that its events show. */
export type AnnouncedRow = Pick<
  MessageRow,
  | "id"
  | "channel"
  | "direction"
  | "business_id"
  | "business_phone"
  | "customer_id"
  | "customer_name"
  | "customer_user_id"
  | "customer_username"
  | "provider_message_id"
  | "content_json"
  | "metadata_json"
  | "error_code"
  | "error_message"
>

/**
 * Returns the `data` of an outbound message's event, from the row after the commit; `at` is the instant of the change, in
 * epoch milliseconds. M-EVT-01..03, U-STA-01, U-STA-02
 */
export const progressData = (
  row: AnnouncedRow & Pick<MessageRow, "pricing_json">,
  type: MessageProgressType,
  at: number
): MessageProgressData => {
  const { error_code, error_message } = row
  const pricing = row.pricing_json === null ? undefined : { pricing: readJson(row.pricing_json) }
  const shared = {
    provider_message_id: row.provider_message_id,
    metadata: readJsonOrNull(row.metadata_json),
    to: row.customer_id,
    from: row.business_phone,
    sender: { profile_name: null },
    occurred_at: formatTimestamp(at)
  }
  switch (type) {
    case "message.sent":
      return { message_id: row.id, status: "sent", ...shared, ...pricing }
    case "message.delivered":
      return { message_id: row.id, status: "delivered", ...shared, ...pricing }
    case "message.read":
      return { message_id: row.id, status: "read", ...shared }
    case "message.failed":
      return { message_id: row.id, status: "failed", ...shared, error_code, error_message }
  }
}

/** The group to which a message belongs: ours, null where the provider alone knows it, and the provider's id. U-INB-06 */
export interface MessageGroup {
  readonly group_id: string | null
  readonly provider_group_id: string
}

/** The parts of a captured message that its row does not show. */
export interface HeardParts {
  readonly content_json: JsonText<InboundContent>
  readonly context_json: JsonText<MessageContext> | null
  /** Undefined for a private message. */
  readonly group: MessageGroup | undefined
  /** When the customer wrote, in epoch milliseconds. */
  readonly heard_at: number
}

/** Returns the `data` of message.received, from a captured row. M-EVT-03, M-EVT-04, U-INB-05 */
export const receivedData = (
  row: AnnouncedRow,
  { content_json, context_json, group, heard_at }: HeardParts
): MessageReceivedData => ({
  message_id: row.id,
  status: "received",
  provider_message_id: row.provider_message_id,
  metadata: readJsonOrNull(row.metadata_json),
  channel: row.channel,
  sender: senderOf(row),
  recipient: recipientOf(row),
  content: readJson(content_json),
  ...contextData(readJsonOrNull(context_json)),
  ...group,
  occurred_at: formatTimestamp(heard_at)
})

/** Quote, forwarding and referral of an event; absent for a message without any. U-INB-04, U-INB-05 */
export const contextData = (context: MessageContext | null): Pick<MessageReceivedData, "context" | "referral"> => {
  if (context === null) return {}
  const { referral } = context
  return referral === undefined ? { context } : { context, referral }
}

/** Returns a recorded step in the form of `events_json` and of reads. gaps-2 B "Inner read shapes" */
export const eventItem = (id: string, event: RecordedEvent): MessageEventItem => ({
  id,
  type: event.type,
  status: event.status,
  occurred_at: formatTimestamp(event.occurred_at),
  error_code: event.error_code,
  details: event.details
})

/**
 * Returns the `events_json` of a message without a second step: its one entry follows from the row, and is stored with
 * the second one. M-READ-30
 */
export const firstEvents = (
  row: Pick<MessageRow, "id" | "direction" | "created_at">,
  occurred_at = formatTimestamp(row.created_at)
): JsonText<ReadonlyArray<MessageEventItem>> => {
  const status = row.direction === "inbound" ? "received" : "queued"
  const id = `mev_${row.id.slice("msg_".length)}`
  const step = `"id":"${id}","type":"message.${status}","status":"${status}","occurred_at":"${occurred_at}"`
  return madeJson(`[{${step},"error_code":null,"details":null}]`)
}

/** Returns `events_json` with one more entry, oldest first. M-READ-30 */
export const appendEvent = (
  events_json: JsonText<ReadonlyArray<MessageEventItem>>,
  item: MessageEventItem
): JsonText<ReadonlyArray<MessageEventItem>> =>
  events_json === "[]" ? jsonText([item]) : madeJson(`${events_json.slice(0, -1)},${jsonText(item)}]`)

/**
 * Returns `events_json` with a step that the provider reported. It tells whole seconds and reports in any order, so the
 * step stands before those of a later second, and never before the first. M-READ-30, U-STA-02
 */
export const insertEvent = (
  events_json: JsonText<ReadonlyArray<MessageEventItem>>,
  item: MessageEventItem
): JsonText<ReadonlyArray<MessageEventItem>> => {
  const steps = readJson(events_json)
  let index = steps.length
  while (index > 1 && secondOf(steps[index - 1]) > secondOf(item)) index--
  return index === steps.length ? appendEvent(events_json, item) : jsonText(steps.toSpliced(index, 0, item))
}

const secondOf = (step: MessageEventItem | undefined): string =>
  step?.occurred_at.slice(0, "2026-01-01T00:00:00".length) ?? ""

const senderOf = (row: AnnouncedRow): Message["sender"] =>
  row.direction === "inbound"
    ? {
        type: customerTypes[row.channel],
        id: row.customer_id,
        profile_name: row.customer_name,
        user_id: row.customer_user_id,
        username: row.customer_username
      }
    : { type: businessTypes[row.channel], id: row.business_id, profile_name: null }

const recipientOf = (row: AnnouncedRow): Message["recipient"] =>
  row.direction === "inbound"
    ? { type: businessTypes[row.channel], id: row.business_id }
    : { type: recipientType(row.channel, row.customer_id), id: row.customer_id }
