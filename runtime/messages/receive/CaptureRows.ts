import type { Ids } from "@carteiro/owners/Ids.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { FlowCompleted } from "@carteiro/schema/flows/FlowEvents.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageContext } from "@carteiro/schema/messages/Message.ts"
import { MessageReceived, type MessageReceivedData } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { contactChanges } from "../../contacts/Contacts.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { isSuspended } from "../facts/Suspension.ts"
import { insertInbound } from "../message/CapturedWrites.ts"
import { type CapturedRow, type MessageGroup, receivedData } from "../message/MessageRead.ts"
import { openWindow } from "../message/MessageWrites.ts"
import { subjectOf, subjectTexts } from "../message/Recipient.ts"
import { opensWindow } from "../message/ServiceWindow.ts"
import { fileRows } from "./CapturedFile.ts"
import type { CompletedFlow } from "./InboundFacts.ts"
import type { InboundItem } from "./InboundItem.ts"
import { consentAsked, heldBack } from "./InboundKeyword.ts"
import { markRows, withNamedMessage } from "./NamedMessages.ts"

/** The services that make events and ids of captured messages. */
export interface CaptureDeps {
  readonly outbox: Outbox["Service"]
  readonly secrets: Secrets["Service"]
  readonly ids: Ids["Service"]
}

/** The number and time of a capture, and the messages that it refers to. */
export interface Capture {
  readonly number: NumberFacts
  readonly business_id: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Returns our message with that id of the provider's, if any. */
  readonly messageOf: (provider_message_id: string) => string | null
  /** Returns our id of the number's group with that id of the provider's, if any. */
  readonly groupOf: (provider_group_id: string) => string | null
  readonly completed: CompletedFlow | undefined
}

/**
 * Returns the rows of a captured message, for one unit of a commit: the message, its window, its contact with the
 * choice of a keyword, message.received, and flow.completed of an answered flow. While the number's service is
 * suspended, content makes no event, so that nothing can show it later. M-WIN-01, M-EVT-04, A-SIG-20..22, gaps-1 K
 * "Suppressed content", gaps-2 C "Opt-out by message"
 */
export const captureRows = (
  item: InboundItem,
  capture: Capture,
  deps: CaptureDeps
): { readonly rows: ReadonlyArray<Row>; readonly message: CapturedRow } => {
  const { business_id, number } = capture
  const resolved = resolvedContent(item, capture)
  const content = resolved === undefined ? item.content : jsonText(resolved)
  const context = contextOf(item, capture)
  const group = groupOf(item, capture)
  const message: CapturedRow = {
    id: item.id,
    channel: item.channel,
    direction: "inbound",
    type: item.type,
    business_id,
    business_phone: number.phone,
    customer_id: item.customer_id,
    customer_name: item.profile_name,
    customer_user_id: item.user_id ?? null,
    customer_username: item.username ?? null,
    provider: item.provider,
    provider_message_id: item.provider_message_id,
    provider_json: item.payload,
    content_json: content,
    metadata_json: item.metadata,
    error_code: null,
    error_message: null,
    trace_id: item.trace_id,
    created_at: item.created_at
  }
  const rows: Array<Row> = [
    insertInbound.row({
      environment_id: item.environment_id,
      id: item.id,
      channel: item.channel,
      type: item.type,
      business_id,
      business_phone: number.phone,
      customer_id: item.customer_id,
      customer_key: item.customer_key,
      customer_name: item.profile_name,
      customer_user_id: item.user_id ?? null,
      customer_username: item.username ?? null,
      provider: item.provider,
      provider_message_id: item.provider_message_id,
      content,
      context,
      group_id: group?.group_id ?? null,
      provider_group_id: group?.provider_group_id ?? null,
      provider_payload: item.payload,
      metadata: item.metadata,
      trace_id: item.trace_id,
      created_at: item.created_at
    })
  ]
  const mayTell = !(isSuspended(number, item.created_at) && heldBack(item))
  const heard_at = item.heard_at ?? item.created_at
  if (resolved !== undefined) rows.push(...markRows(resolved, "inbound", item.environment_id, heard_at))
  const data = receivedData(message, { content_json: content, context_json: context, group, heard_at })
  if (mayTell) rows.push(...announced(item, data, capture, deps))
  if (data.content.type === "media") {
    const { content: _, ...event } = data
    rows.push(...fileRows(item, data.content.media, capture, mayTell ? event : null))
  }
  if (isFromCustomer(item)) rows.push(...conversationRows(item, business_id, deps))
  else if (group != null && group.group_id !== null && isOwnWords(item)) {
    rows.push(windowRow(item, business_id, group.group_id))
  }
  return { rows, message }
}

/** Returns the content with our id of the message that it is about. U-INB-03, gaps-2 E "Inbound type map" */
const resolvedContent = (item: InboundItem, { messageOf }: Capture): InboundContent | undefined => {
  if (item.type !== "reaction" && item.type !== "unknown") return undefined
  return withNamedMessage(readJson(item.content), messageOf)
}

/** Returns quote and forwarding as reads show them. M-READ-21, M-READ-22 */
export const contextOf = ({ context }: InboundItem, { messageOf }: Capture): JsonText<MessageContext> | null => {
  if (context === undefined) return null
  const { quoted_id, ...rest } = context
  const reply_to = quoted_id === null ? null : { message_id: messageOf(quoted_id), provider_message_id: quoted_id }
  return jsonText({ reply_to, ...rest })
}

/** Returns the group of a message, by our id and the provider's; undefined for a private one. U-INB-06 */
const groupOf = ({ provider_group_id }: InboundItem, capture: Capture): MessageGroup | undefined =>
  provider_group_id === undefined ? undefined : { group_id: capture.groupOf(provider_group_id), provider_group_id }

const announced = (
  item: InboundItem,
  data: MessageReceivedData,
  { completed, now }: Capture,
  { ids, outbox }: CaptureDeps
): ReadonlyArray<Row> => {
  const common = {
    environment_id: item.environment_id,
    environment: item.environment,
    subject: subjectOf(item.channel, item.customer_key),
    trace_id: item.trace_id
  }
  if (data.content.type === "media") return []
  const received = outbox.event(MessageReceived, { ...common, source_id: item.id, at: now, data })
  if (completed === undefined || data.content.type !== "flow") return [received]
  const { flow, message_id } = completed
  const { provider_token, response } = data.content.flow
  const flowCompleted = outbox.event(FlowCompleted, {
    ...common,
    source_id: flow.id,
    // Ids order events, so concurrent events are a millisecond apart.
    at: now + 1,
    data: {
      flow_id: flow.id,
      name: flow.name,
      status: flow.status,
      provider_flow_id: flow.provider_flow_id,
      rejection_reason: flow.rejection_reason,
      submission: {
        id: ids.mint("fls", now),
        provider_token: provider_token ?? "",
        response,
        message_id,
        received_at: formatTimestamp(item.created_at)
      }
    }
  })
  return [received, flowCompleted]
}

/** Returns the row that opens the window of a customer, or of the group in which they wrote. U-SND-11 */
const windowRow = (item: InboundItem, business_id: string, customer_key: string): Row =>
  openWindow.row({
    environment_id: item.environment_id,
    channel: item.channel,
    business_id,
    customer_key,
    latest_inbound_at: item.heard_at ?? item.created_at
  })

const conversationRows = (item: InboundItem, business_id: string, { secrets }: CaptureDeps): ReadonlyArray<Row> => [
  windowRow(item, business_id, item.customer_key),
  contactChanges.heardFrom({
    environment_id: item.environment_id,
    id: item.contact_id,
    customer_type: customerTypes[item.channel satisfies Channel],
    match_key: item.customer_key,
    subjects: [...new Set([item.customer_key, ...(item.user_id === undefined ? [] : [item.user_id])])]
      .map((key) => subjectTexts(secrets, item.environment_id, item.channel, key))
      .join(","),
    phone: item.customer_id,
    profile_name: item.profile_name,
    user_id: item.user_id ?? null,
    username: item.username ?? null,
    consent: consentOf(item),
    at: item.created_at
  })
]

/** Types by which the platform reports about a customer, or about an earlier message of the customer. */
const isAbout: ReadonlySet<string> = new Set(["system", "edit", "revoke"])

/**
 * False for a customer whom nothing names, for what the platform itself says of one, for a correction or withdrawal of a
 * message, and for a message in a group: it opens no private window and makes no contact. U-HID-05, U-INB-03, U-INB-06
 */
export const isFromCustomer = (item: InboundItem): boolean =>
  opensWindow(item.customer_key) && item.provider_group_id === undefined && isOwnWords(item)

/** False for what the platform itself says of a customer, and for a correction or withdrawal of a message. */
const isOwnWords = (item: InboundItem): boolean => {
  const content = item.type === "unknown" ? readJson(item.content) : undefined
  return content?.type !== "unknown" || !isAbout.has(content.unknown.provider_type)
}

/** Returns the consent that the message changes to; null when it changes none. */
export const consentOf = (item: InboundItem): "opted_in" | "opted_out" | null => {
  const change = consentAsked(item)
  return change === undefined ? null : change === "opt_in" ? "opted_in" : "opted_out"
}
