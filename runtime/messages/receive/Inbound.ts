import { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { heardFrom } from "../../contacts/Contacts.ts"
import type { Row } from "../../platform/commit/Write.ts"
import type { Outbox } from "../../platform/outbox/Outbox.ts"
import { commitThen, type Decision, type OwnerHandle, refuse } from "../../platform/owner/Owner.ts"
import type { Secrets } from "../../platform/secrets/Secrets.ts"
import { subjectHashes } from "../../platform/subject/Subject.ts"
import { customerOf, type NumberSendFacts } from "../facts/SendingFacts.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { type CapturedRow, receivedData, simulatedBody } from "../message/MessageRead.ts"
import { insertInbound, openWindow } from "../message/MessageWrites.ts"
import { subjectOf, subjectsOf } from "../message/Recipient.ts"
import { opensWindow } from "../message/ServiceWindow.ts"
import { hastenPacing } from "../pacing/PacingWrites.ts"
import type { InboundItem } from "./InboundItem.ts"
import { consentAsked, heldBack } from "./InboundKeyword.ts"

/** What capturing needs beside its facts. */
export interface InboundDeps {
  readonly outbox: Outbox["Service"]
  readonly secrets: Secrets["Service"]
  readonly memory: SendMemory
  readonly count: CountMessage
  /** False when the owner knows that it holds nothing for this customer. */
  readonly mayHold: (customer_key: string) => boolean
}

/**
 * Captures inbound messages: the message, its window, its contact with what a keyword asked for, and message.received,
 * all in one commit. While the number's service is suspended no event is made of content, so nothing can show it later.
 * M-WIN-01, M-EVT-04, A-SIG-20..22, gaps-1 K "Suppressed content", gaps-2 C "Opt-out by message"
 */
export const captureAll = (
  items: ReadonlyArray<InboundItem>,
  facts: NumberSendFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): ReadonlyArray<Decision<string>> => items.map((item) => captureOne(item, facts, owner, now, deps))

const captureOne = (
  item: InboundItem,
  { number }: NumberSendFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): Decision<string> => {
  if (number === undefined || number.environment_id !== item.environment_id) {
    return refuse(new PhoneNumberNotFound({ param: "to" }))
  }
  const message: CapturedRow = {
    id: item.id,
    channel: item.channel,
    direction: "inbound",
    type: item.type,
    business_id: owner.id,
    business_phone: number.phone,
    customer_id: item.customer_id,
    customer_name: item.profile_name,
    provider: item.provider,
    provider_message_id: item.provider_message_id,
    provider_json: item.payload,
    content_json: item.content,
    metadata_json: item.metadata,
    error_code: null,
    error_message: null,
    trace_id: item.trace_id,
    created_at: item.created_at
  }
  const text = JSON.stringify(simulatedBody(message, item.environment))
  // What is held for this customer needs no slot any more. gaps-2 D "How pacing holds and releases"
  const releases = number.pacing_at !== null && opensWindow(item.customer_id) && deps.mayHold(item.customer_key)
  return commitThen({
    rows: [
      insertInbound.row({
        environment_id: item.environment_id,
        id: item.id,
        channel: item.channel,
        type: item.type,
        business_id: owner.id,
        business_phone: number.phone,
        customer_id: item.customer_id,
        customer_key: item.customer_key,
        customer_name: item.profile_name,
        provider: item.provider,
        provider_message_id: item.provider_message_id,
        content: item.content,
        provider_payload: item.payload,
        metadata: item.metadata,
        trace_id: item.trace_id,
        created_at: item.created_at
      }),
      ...(number.suspended && heldBack(item) ? [] : [received(item, message, now, deps)]),
      ...(opensWindow(item.customer_id) ? conversationRows(item, owner.id, deps) : []),
      ...(releases
        ? [hastenPacing.row({ environment_id: item.environment_id, business_id: owner.id, due_at: now })]
        : [])
    ],
    claim: item.claim,
    response: { status: 202, body: text },
    subjects: subjectsOf(item),
    // A repeated call finds the first one's row and writes nothing: its answer is the same.
    settle: (_keys, passed) => {
      if (passed) deps.count(number.environment, "inbound", "received")
      noteWindow(item, owner.id, deps.memory)
      if (releases) owner.dueAt(now)
      return { ok: text }
    }
  })
}

const noteWindow = (item: InboundItem, numberId: string, memory: SendMemory): void => {
  if (!opensWindow(item.customer_id)) return
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  if (consentOf(item) === "opted_out") memory.forget(numberId, customer)
  else memory.heard(numberId, customer, item.created_at)
}

const received = (item: InboundItem, message: CapturedRow, now: number, { outbox }: InboundDeps): Row =>
  outbox.event(MessageReceived, {
    environment_id: item.environment_id,
    environment: item.environment,
    source_id: item.id,
    subject: subjectOf(item.channel, item.customer_key),
    trace_id: item.trace_id,
    at: now,
    data: receivedData(message, item.content)
  })

const conversationRows = (item: InboundItem, business_id: string, { secrets }: InboundDeps): ReadonlyArray<Row> => [
  openWindow.row({
    environment_id: item.environment_id,
    channel: item.channel,
    business_id,
    customer_key: item.customer_key,
    latest_inbound_at: item.created_at
  }),
  heardFrom.row({
    environment_id: item.environment_id,
    id: item.contact_id,
    customer_type: customerTypes[item.channel satisfies Channel],
    match_key: item.customer_key,
    subjects: hashesOf(item, secrets),
    phone: item.customer_id,
    profile_name: item.profile_name,
    consent: consentOf(item),
    at: item.created_at
  })
]

/** Under which an erased customer's opt-out is found. */
const hashesOf = ({ channel, customer_key, environment_id }: InboundItem, secrets: Secrets["Service"]): string =>
  subjectHashes(secrets, environment_id, { type: customerTypes[channel], key: customer_key }).join(",")

const consentOf = (item: InboundItem): "opted_in" | "opted_out" | null => {
  const change = consentAsked(item)
  return change === undefined ? null : change === "opt_in" ? "opted_in" : "opted_out"
}
