import { Schema } from "effect"
import { defineEvent, type EventData } from "../conventions/Event.ts"
import { pathId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { deliveryCodes } from "./DeliveryCodes.ts"
import { InboundContent } from "./InboundContent.ts"
import { MessageContext, MessagePricing, MessageReferral } from "./Message.ts"
import { Metadata } from "./Metadata.ts"
import { Channel } from "./Vocabulary.ts"

/** Null on outbound messages and after privacy cleanup. M-EVT-03 */
export const EventSender = Schema.Struct({
  profile_name: Schema.NullOr(Schema.String).annotate({
    description: "Profile name of the customer; null on outbound messages and after privacy cleanup."
  })
}).annotate({ description: "The sender of the message." })

const message_id = pathId("msg")
const provider_message_id = Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the message." })
const metadata = Schema.NullOr(Metadata).annotate({ description: "Your metadata of the message." })

/** U-INB-05, U-STA-02 */
const occurred_at = Schema.optionalKey(Timestamp).annotateKey({
  description:
    "When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it."
})

const progress = <const Status extends "sent" | "delivered" | "read" | "failed">(status: Status) => ({
  message_id,
  status: Schema.Literal(status),
  to: Schema.String.annotate({ description: "The recipient's id: the phone number, or the id of the group." }),
  from: Schema.NullOr(Schema.String).annotate({
    description: "The sending number in international form; null if the sender has none."
  }),
  provider_message_id,
  metadata,
  sender: EventSender,
  occurred_at
})

/** U-STA-01 */
const pricing = Schema.optionalKey(MessagePricing)

/** `from` is the sending number in E.164, `to` the recipient id. M-EVT-01, gaps-2 B "Message event fields" */
export const MessageSent = defineEvent("message.sent", Schema.Struct({ ...progress("sent"), pricing }), {
  source_type: "message",
  description: "The provider accepted the message."
})

/** M-EVT-01 */
export const MessageDelivered = defineEvent("message.delivered", Schema.Struct({ ...progress("delivered"), pricing }), {
  source_type: "message",
  description: "The message reached the customer."
})

/** M-EVT-01 */
export const MessageRead = defineEvent("message.read", Schema.Struct(progress("read")), {
  source_type: "message",
  description: "The customer read the message."
})

/** M-EVT-02 */
export const MessageFailed = defineEvent(
  "message.failed",
  Schema.Struct({
    ...progress("failed"),
    error_code: Schema.NullOr(Schema.String).annotate({
      description: "Code of the failure; new codes may appear.",
      "x-known-codes": Object.keys(deliveryCodes)
    }),
    error_message: Schema.NullOr(Schema.String).annotate({ description: "The failure in a sentence." })
  }),
  { source_type: "message", description: "The message will not be sent; its error_code says why." }
)

/** M-EVT-04 */
export const MessageReceived = defineEvent(
  "message.received",
  Schema.Struct({
    message_id,
    status: Schema.Literal("received"),
    channel: Channel,
    sender: Schema.Struct({
      type: Schema.String.annotateKey({ description: "Kind of id, such as phone_e164." }),
      id: Schema.String.annotateKey({
        description: "Id of the customer: a phone number or the channel's id; empty while the customer hides the phone."
      }),
      profile_name: Schema.NullOr(Schema.String).annotate({ description: "Profile name of the customer." }),
      user_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
        description:
          "The platform's id of the customer for your business, also while they hide the phone; null when the platform named none.",
        examples: ["BR.13491208655302741918"]
      }),
      username: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
        description: "Username of the customer; null without one.",
        examples: ["@maria"]
      })
    }).annotate({ description: "The customer." }),
    recipient: Schema.Struct({
      type: Schema.String.annotateKey({ description: "Kind of id, such as chatapp_phone_number." }),
      id: Schema.String.annotateKey({ description: "Id of your number or account." })
    }).annotate({ description: "Your number or account that received the message." }),
    provider_message_id,
    metadata,
    content: InboundContent.annotateKey({ description: "Content of the message; its type gives its shape." }),
    context: Schema.optionalKey(MessageContext).annotateKey({
      description: "Quoted message, forwarding and referral; absent for a message without any."
    }),
    referral: Schema.optionalKey(MessageReferral),
    group_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
      description:
        "Id of the group in which the customer wrote, null for a group that this service does not know; absent for a private message."
    }),
    provider_group_id: Schema.optionalKey(Schema.String).annotateKey({
      description: "The provider's id of that group; absent for a private message."
    }),
    occurred_at
  }),
  { source_type: "message", description: "A customer sent a message." }
)

/** As message.sent, of a message that staff sent in the phone app. U-INB-07 */
export const MessageEchoed = defineEvent(
  "message.echoed",
  Schema.Struct({
    ...progress("sent"),
    content: InboundContent.annotateKey({ description: "Content of the message; its type gives its shape." }),
    context: Schema.optionalKey(MessageContext).annotateKey({
      description: "Quoted message and forwarding; absent for a message without any."
    })
  }),
  { source_type: "message", description: "Staff sent a message in the phone app of the number." }
)

/** The events that a message itself raises; `message.created` does not exist. M-EVT-13 */
export const messageEvents = {
  "message.sent": MessageSent,
  "message.delivered": MessageDelivered,
  "message.read": MessageRead,
  "message.failed": MessageFailed,
  "message.received": MessageReceived
} as const
export type MessageEventType = keyof typeof messageEvents

/** The event type of a status change of an outbound message. M-EVT-01, M-EVT-02 */
export type MessageProgressType = Exclude<MessageEventType, "message.received">
export type MessageProgressData = EventData<(typeof messageEvents)[MessageProgressType]>
export type MessageReceivedData = EventData<typeof MessageReceived>
