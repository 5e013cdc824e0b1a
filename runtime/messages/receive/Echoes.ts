import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { MessageEchoed } from "@carteiro/schema/messages/MessageEvents.ts"
import { businessApp } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { isSuspended } from "../facts/Suspension.ts"
import { insertEchoed } from "../message/CapturedWrites.ts"
import { contextData, eventItem, progressData } from "../message/MessageRead.ts"
import { subjectOf, subjectsOf } from "../message/Recipient.ts"
import { fileRows } from "./CapturedFile.ts"
import { type Capture, contextOf } from "./CaptureRows.ts"
import type { InboundDeps } from "./Inbound.ts"
import type { InboundFacts } from "./InboundFacts.ts"
import type { InboundItem } from "./InboundItem.ts"
import { claimRows, isClaimLost } from "./MetCustomers.ts"
import { markRows, withNamedMessage } from "./NamedMessages.ts"

/**
 * Stores messages that staff sent in the phone app, each in one commit with its event. An item names the recipient as
 * its customer. Nothing is charged, paced or sent for them. U-INB-07, decision 0147
 */
export const echoAll = (
  items: ReadonlyArray<InboundItem>,
  facts: InboundFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): ReadonlyArray<Decision<string>> => items.map((item) => echoOne(item, facts, owner, now, deps))

const echoOne = (
  written: InboundItem,
  facts: InboundFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): Decision<string> => {
  const { number } = facts
  const customer = facts.met.get(written.id)
  // As any recipient, one without a phone is shown by the platform's id.
  const customer_id = written.customer_id === "" ? (written.user_id ?? "") : written.customer_id
  const item = { ...written, customer_id, customer_key: customer?.key ?? written.customer_key }
  if (number === undefined) return refuse(new PhoneNumberNotFound({ param: "to" }))
  if (facts.stored.has(item.id)) return answer(item.id)
  const about = { number, business_id: owner.id, now, completed: undefined }
  return commitThen({
    rows: [
      ...claimRows(customer),
      ...echoRows(item, { ...about, messageOf: facts.messageOf, groupOf: facts.groupOf }, deps)
    ],
    claim: undefined,
    response: { status: 202, body: item.id },
    subjects: subjectsOf(item),
    settle: (_keys, passed) => {
      if (!passed && isClaimLost(customer, written, deps.customers)) return { retry: "changed" }
      if (passed && item.type === "media") deps.wakeMedia(item.environment_id)
      return { ok: item.id }
    }
  })
}

const echoRows = (item: InboundItem, capture: Capture, deps: InboundDeps): ReadonlyArray<Row> => {
  const { business_id, messageOf, now, number } = capture
  const { environment_id, heard_at = item.created_at, id } = item
  const content = withNamedMessage(readJson(item.content), messageOf)
  const context = contextOf(item, capture)
  const sent = { type: "message.sent", status: "sent", occurred_at: heard_at, error_code: null, details: null } as const
  const rows: Array<Row> = [
    insertEchoed.row({
      environment_id,
      id,
      channel: item.channel,
      type: item.type,
      business_id,
      business_phone: number.phone,
      customer_id: item.customer_id,
      customer_key: item.customer_key,
      provider: item.provider,
      provider_message_id: item.provider_message_id,
      content: jsonText(content),
      context,
      provider_payload: item.payload,
      source: businessApp,
      events: jsonText([eventItem(deps.ids.mint("mev", now), sent)]),
      trace_id: item.trace_id,
      created_at: item.created_at
    }),
    ...markRows(content, "outbound", environment_id, heard_at)
  ]
  if (!isSuspended(number, item.created_at)) {
    const data = progressData(
      { ...announcedRow(item, number), business_id, content_json: jsonText(content) },
      "message.sent",
      heard_at
    )
    rows.push(
      deps.outbox.event(MessageEchoed, {
        environment_id,
        environment: item.environment,
        source_id: id,
        subject: subjectOf(item.channel, item.customer_key),
        trace_id: item.trace_id,
        at: now,
        data: { ...data, status: "sent", content, ...contextData(context === null ? null : readJson(context)) }
      })
    )
  }
  // Its event is out already: reads show the file once it is stored. The profile would be the recipient's, not the sender's.
  if (content.type === "media") rows.push(...fileRows({ ...item, profile_name: null }, content.media, capture, null))
  return rows
}

const announcedRow = (item: InboundItem, number: NumberFacts) => ({
  id: item.id,
  channel: item.channel,
  direction: "outbound" as const,
  business_phone: number.phone,
  customer_id: item.customer_id,
  customer_name: null,
  customer_user_id: null,
  customer_username: null,
  provider_message_id: item.provider_message_id,
  metadata_json: null,
  pricing_json: null,
  error_code: null,
  error_message: null
})
