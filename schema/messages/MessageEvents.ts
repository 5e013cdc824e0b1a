import { Schema } from "effect"
import { InboundContent } from "./InboundContent.ts"
import { Metadata } from "./Metadata.ts"
import { Channel } from "./Vocabulary.ts"

/** Null on outbound messages and after privacy cleanup. M-EVT-03 */
const Sender = Schema.Struct({ profile_name: Schema.NullOr(Schema.String) })

const progress = <const Status extends "sent" | "delivered" | "read" | "failed">(status: Status) => ({
  message_id: Schema.String,
  status: Schema.Literal(status),
  to: Schema.String,
  from: Schema.NullOr(Schema.String),
  provider_message_id: Schema.NullOr(Schema.String),
  metadata: Schema.NullOr(Metadata),
  sender: Sender
})

/** Data of `message.sent`; `from` is the sending number in E.164, `to` the recipient id. M-EVT-01, gaps-2 B "Message event fields" */
export const MessageSentData = Schema.Struct(progress("sent")).annotate({ identifier: "MessageSentData" })

/** Data of `message.delivered`. M-EVT-01 */
export const MessageDeliveredData = Schema.Struct(progress("delivered")).annotate({
  identifier: "MessageDeliveredData"
})

/** Data of `message.read`. M-EVT-01 */
export const MessageReadData = Schema.Struct(progress("read")).annotate({ identifier: "MessageReadData" })

/** Data of `message.failed`. M-EVT-02 */
export const MessageFailedData = Schema.Struct({
  ...progress("failed"),
  error_code: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MessageFailedData" })

/** Data of `message.received`. M-EVT-04 */
export const MessageReceivedData = Schema.Struct({
  message_id: Schema.String,
  status: Schema.Literal("received"),
  channel: Channel,
  sender: Schema.Struct({ type: Schema.String, id: Schema.String, profile_name: Schema.NullOr(Schema.String) }),
  recipient: Schema.Struct({ type: Schema.String, id: Schema.String }),
  provider_message_id: Schema.NullOr(Schema.String),
  metadata: Schema.NullOr(Metadata),
  content: InboundContent
}).annotate({ identifier: "MessageReceivedData" })

/** Data schema of each event a message raises itself; `message.created` does not exist. M-EVT-13 */
export const messageEventData = {
  "message.sent": MessageSentData,
  "message.delivered": MessageDeliveredData,
  "message.read": MessageReadData,
  "message.failed": MessageFailedData,
  "message.received": MessageReceivedData
} as const
export type MessageEventType = keyof typeof messageEventData
