import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { deliveryCodes } from "./DeliveryCodes.ts"
import { MediaDescriptor, UnknownContent, UnsupportedContent } from "./InboundContent.ts"
import { Metadata } from "./Metadata.ts"
import { Channel, Direction, MessageStatus, MessageType } from "./Vocabulary.ts"

const nullableText = Schema.NullOr(Schema.String)

/** Why a queued message waits; an open set, null otherwise. M-MSG-05, M-MSG-06 */
const StatusReason = nullableText.annotate({
  description:
    "Why it waits: messaging_limit_pacing while the sender's daily allowance is used up. More reasons may follow."
})

const MessageId = Schema.String.annotate({
  description: "Id of the message.",
  examples: ["msg_01kah7v3m8q6x2r9d4t5w0y1z3"]
})

const templateFields = {
  template_id: nullableText.annotate({ description: "Id of the template it was made from." }),
  template_version_id: nullableText.annotate({ description: "Id of that template's version." }),
  template_version: Schema.NullOr(Schema.Int).annotate({ description: "Number of that version." })
}

const providerFields = {
  provider: nullableText.annotate({ description: "Who carries it; null before it was handed over." }),
  provider_message_id: nullableText.annotate({ description: "The provider's id of it; null before it has one." })
}

/** The 202 of POST /v1/messages. M-MSG-03..13 */
export class MessageAccepted extends Schema.Class<MessageAccepted>("MessageAccepted")({
  id: MessageId,
  object: Schema.Literal("message"),
  status: MessageStatus,
  status_reason: StatusReason,
  channel: Channel,
  environment: EnvironmentKind,
  ...templateFields,
  created_at: Timestamp,
  trace_id: TraceId
}) {}

/** One step of a message, oldest first in `events`. M-READ-30, gaps-2 B "Inner read shapes" */
export const MessageEventItem = Schema.Struct({
  id: Schema.String.annotateKey({ description: "Id of the step." }),
  type: Schema.String.annotateKey({ description: "Name of the step. New ones may appear." }),
  status: MessageStatus,
  occurred_at: Timestamp,
  error_code: nullableText.annotate({ description: "Why it failed." }),
  details: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "More about this step."
  })
})
export type MessageEventItem = typeof MessageEventItem.Type

/** What the provider said when it refused, in its own numbers. M-READ-27, gaps-2 B "Inner read shapes" */
export const ProviderError = Schema.Struct({
  provider: Schema.String.annotateKey({ description: "Who refused." }),
  code: Schema.NullOr(Schema.Int).annotate({ description: "The provider's number of the error." }),
  subcode: Schema.NullOr(Schema.Int).annotate({ description: "Its finer number." }),
  title: nullableText.annotate({ description: "The provider's name of the error." }),
  message: nullableText.annotate({ description: "The provider's sentence." }),
  http_status: Schema.NullOr(Schema.Int).annotate({ description: "Status of the provider's answer." })
})
export type ProviderError = typeof ProviderError.Type

/** What a message quotes and whether it was forwarded. M-READ-21, M-READ-22 */
export const MessageContext = Schema.Struct({
  reply_to: Schema.NullOr(
    Schema.Struct({
      message_id: nullableText.annotate({ description: "The quoted message, where it is known here." }),
      provider_message_id: nullableText.annotate({ description: "The provider's id of the quoted message." })
    })
  ).annotate({ description: "What it quotes." }),
  forwarded: Schema.Boolean.annotateKey({ description: "Whether it was forwarded." }),
  frequently_forwarded: Schema.Boolean.annotateKey({ description: "Whether it was forwarded many times." })
})
export type MessageContext = typeof MessageContext.Type

const AddressType = Schema.String.annotate({
  description: "What the id is: chatapp_phone_number, phone_e164, social_account, social_user or chatapp_channel."
})
const AddressId = Schema.String.annotate({
  description: "Id of your number or account; of a customer the phone number or the channel's own id."
})

/** The sending side; the profile name is captured, not verified. M-READ-12, M-READ-13 */
export const MessageSender = Schema.Struct({
  type: AddressType,
  id: AddressId,
  profile_name: nullableText.annotate({
    description: "The name on the customer's profile, as it was then; not verified."
  })
}).annotate({ description: "Who sent it." })

/** The receiving side. M-READ-14 */
export const MessageRecipient = Schema.Struct({ type: AddressType, id: AddressId }).annotate({
  description: "Who receives it."
})

/** A message as reads show it; `context` and `payload` are left out of plain list rows. M-READ-11..31, gaps-2 B "Plain list rows" */
export class Message extends Schema.Class<Message>("Message")({
  id: MessageId,
  object: Schema.Literal("message"),
  channel: Channel,
  direction: Direction,
  type: MessageType,
  status: MessageStatus,
  status_reason: StatusReason,
  environment: EnvironmentKind,
  sender: MessageSender,
  recipient: MessageRecipient,
  ...providerFields,
  template_name: nullableText.annotate({ description: "Name of the template it was made from." }),
  ...templateFields,
  media: Schema.NullOr(MediaDescriptor).annotate({ description: "The file, with type media." }),
  unsupported: Schema.NullOr(UnsupportedContent).annotate({
    description: "With type unsupported: what the provider would not deliver."
  }),
  unknown: Schema.NullOr(UnknownContent).annotate({
    description: "With type unknown: what is not understood here; the payload holds it."
  }),
  context: Schema.optionalKey(Schema.NullOr(MessageContext)).annotate({
    description: "What it quotes and whether it was forwarded. Lists show it with include=payload."
  }),
  payload: Schema.optionalKey(Schema.Unknown).annotateKey({
    description:
      "The content: of a send as you sent it, of an inbound message as the provider told it. Lists show it with include=payload."
  }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "What you attached to it." }),
  error_code: nullableText.annotate({
    description: "Why it failed; more codes may follow.",
    "x-known-codes": Object.keys(deliveryCodes)
  }),
  error_message: nullableText.annotate({ description: "The same in a sentence." }),
  provider_error: Schema.NullOr(ProviderError).annotate({ description: "What the provider said when it refused." }),
  trace_id: TraceId,
  created_at: Timestamp,
  updated_at: Timestamp,
  redacted_at: Schema.NullOr(Timestamp).annotate({ description: "When its content was erased." }),
  delivery_unconfirmed_at: Schema.NullOr(Timestamp).annotate({
    description: "When it was given up as unconfirmed: the provider's answer never came."
  }),
  events: Schema.Array(MessageEventItem).annotate({ description: "Its steps, oldest first." })
}) {}

/** The customer is shown that somebody writes. gaps-2 B "Typing indicator" */
export class TypingIndicator extends Schema.Class<TypingIndicator>("TypingIndicator")({
  id: MessageId,
  object: Schema.Literal("typing_indicator"),
  message_id: MessageId,
  expires_at: Timestamp.annotate({ description: "When it goes out by itself." }),
  trace_id: TraceId
}) {}
