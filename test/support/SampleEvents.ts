import type { Outbox, OutboxEvent } from "@carteiro/runtime/outbox/Outbox.ts"
import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import {
  type MessageEventType,
  type MessageReceived,
  type MessageReceivedData,
  messageEvents
} from "@carteiro/schema/messages/MessageEvents.ts"

/** Returns data of message.received with that text. */
export const receivedData = (message_id: string, body: string): MessageReceivedData => ({
  message_id,
  status: "received",
  channel: "chatapp",
  sender: { type: "phone_e164", id: "+5511912345678", profile_name: null },
  recipient: { type: "chatapp_phone_number", id: "pn_1" },
  provider_message_id: null,
  metadata: null,
  content: { type: "text", text: { body } }
})

const progress = {
  to: "+5511912345678",
  from: "+5511400000000",
  provider_message_id: null,
  metadata: null,
  sender: { profile_name: null }
} as const

const dataOf = (type: MessageEventType, message_id: string): EventData<(typeof messageEvents)[MessageEventType]> => {
  switch (type) {
    case "message.received":
      return receivedData(message_id, "é 🙂")
    case "message.failed":
      return { message_id, status: "failed", ...progress, error_code: "queue_expired", error_message: "Too late." }
    case "message.sent":
      return { message_id, status: "sent", ...progress }
    case "message.delivered":
      return { message_id, status: "delivered", ...progress }
    case "message.read":
      return { message_id, status: "read", ...progress }
  }
}

/** Returns an outbox row as room messages makes it, with data of its declaration. */
export const sampleRow = (
  outbox: Outbox["Service"],
  type: MessageEventType,
  facts: Omit<OutboxEvent<typeof MessageReceived>, "data" | "subject">
) => outbox.event(messageEvents[type], { subject: null, ...facts, data: dataOf(type, facts.source_id) })
