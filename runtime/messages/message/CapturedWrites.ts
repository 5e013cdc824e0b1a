import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { messagesTable } from "./MessageTables.ts"

const target = rowOf("messages", "id")

const unstored = (asked: string): string => `select a.unit from ${asked} a where not exists (
    select 1 from messages m where m.environment_id = a.environment_id and m.id = a.id)`

/** The columns of every message that the platform tells of, whoever wrote it. */
const captured = [
  "environment_id",
  "id",
  "channel",
  "type",
  "business_id",
  "business_phone",
  "customer_id",
  "customer_key",
  "provider",
  "provider_message_id",
  "content",
  "context",
  "provider_payload",
  "trace_id",
  "created_at"
] as const

/** Inserts a captured inbound message. A repeated call finds its row and writes nothing, not even its event. */
export const insertInbound = insertInto(messagesTable, {
  name: "messages.insert_inbound",
  columns: [
    ...captured,
    "customer_name",
    "customer_user_id",
    "customer_username",
    "group_id",
    "provider_group_id",
    "metadata"
  ],
  values: { direction: "'inbound'", status: "'received'", updated_at: "r.created_at" },
  conflict: { on: ["environment_id", "id"] },
  guard: unstored,
  target
})

/**
 * Inserts a message that staff sent in the phone app, as sent and with nothing due. A repeated call finds its row and
 * writes nothing, not even its event. U-INB-07
 */
export const insertEchoed = insertInto(messagesTable, {
  name: "messages.insert_echoed",
  columns: [...captured, "source", "events"],
  values: { direction: "'outbound'", status: "'sent'", updated_at: "r.created_at" },
  conflict: { on: ["environment_id", "id"] },
  guard: unstored,
  target
})
