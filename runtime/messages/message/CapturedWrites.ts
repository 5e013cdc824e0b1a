import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageContext, MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, rowOf } from "@carteiro/tables/TableWrite.ts"

const target = rowOf("messages", "id")

const unstored = (asked: string): string => `select a.unit from ${asked} a where not exists (
    select 1 from messages m where m.environment_id = a.environment_id and m.id = a.id)`

/** The columns of every message that the platform tells of, whoever wrote it. */
const captured = {
  environment_id: "text",
  id: "text",
  channel: "text",
  type: "text",
  business_id: "text",
  business_phone: "text",
  customer_id: "text",
  customer_key: "text",
  provider: "text",
  provider_message_id: "text",
  content: json<InboundContent>(),
  context: json<MessageContext>(),
  provider_payload: json(),
  trace_id: "text",
  created_at: "timestamptz"
} as const

/** Inserts a captured inbound message. A repeated call finds its row and writes nothing, not even its event. */
export const insertInbound = defineInsert({
  name: "messages.insert_inbound",
  table: "messages",
  columns: {
    ...captured,
    customer_name: "text",
    customer_user_id: "text",
    customer_username: "text",
    group_id: "text",
    provider_group_id: "text",
    metadata: json<Metadata>()
  },
  values: { direction: "'inbound'", status: "'received'", updated_at: "r.created_at" },
  conflict: { on: ["environment_id", "id"] },
  guard: unstored,
  target
})

/**
 * Inserts a message that staff sent in the phone app, as sent and with nothing due. A repeated call finds its row and
 * writes nothing, not even its event. U-INB-07
 */
export const insertEchoed = defineInsert({
  name: "messages.insert_echoed",
  table: "messages",
  columns: { ...captured, source: "text", events: json<ReadonlyArray<MessageEventItem>>() },
  values: { direction: "'outbound'", status: "'sent'", updated_at: "r.created_at" },
  conflict: { on: ["environment_id", "id"] },
  guard: unstored,
  target
})
