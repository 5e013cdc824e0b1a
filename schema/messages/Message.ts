import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { deliveryCodes } from "./DeliveryCodes.ts"
import { MediaDescriptor, UnknownContent, UnsupportedContent } from "./InboundContent.ts"
import { Metadata } from "./Metadata.ts"
import { Channel, Direction, MessageStatus, MessageType } from "./Vocabulary.ts"

const nullableText = Schema.NullOr(Schema.String)

/** The reason why a queued message waits; an open set, null otherwise. M-MSG-05, M-MSG-06 */
const StatusReason = nullableText.annotate({
  description:
    "Reason for waiting: messaging_limit_pacing while the sender's daily allowance is used up. New reasons may appear."
})

const MessageId = Schema.String.annotate({
  description: "Id of the message.",
  examples: ["msg_01kah7v3m8q6x2r9d4t5w0y1z3"]
})

const templateFields = {
  template_id: nullableText.annotate({ description: "Id of the template of the message." }),
  template_version_id: nullableText.annotate({ description: "Id of the template version." }),
  template_version: Schema.NullOr(Schema.Int).annotate({ description: "Number of the template version." })
}

const providerFields = {
  provider: nullableText.annotate({ description: "Provider of the message; null before the message was handed over." }),
  provider_message_id: nullableText.annotate({
    description: "The provider's id of the message; null before it has one."
  })
}

/** The 202 response of POST /v1/messages. M-MSG-03..13 */
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
  error_code: nullableText.annotate({ description: "Code of the failure." }),
  details: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "Details of the step."
  })
})
export type MessageEventItem = typeof MessageEventItem.Type

/** The error with which the provider refused, in its own numbers. M-READ-27, gaps-2 B "Inner read shapes" */
export const ProviderError = Schema.Struct({
  provider: Schema.String.annotateKey({ description: "Provider that refused the message." }),
  code: Schema.NullOr(Schema.Int).annotate({ description: "The provider's error code." }),
  subcode: Schema.NullOr(Schema.Int).annotate({ description: "The provider's error subcode." }),
  title: nullableText.annotate({ description: "The provider's name of the error." }),
  message: nullableText.annotate({ description: "The provider's text." }),
  http_status: Schema.NullOr(Schema.Int).annotate({ description: "HTTP status of the provider's response." })
})
export type ProviderError = typeof ProviderError.Type

/** What the platform says of the price of a message, in its own words. U-STA-01 */
export const MessagePricing = Schema.Struct({
  billable: Schema.NullOr(Schema.Boolean).annotate({ description: "Whether the platform charges for the message." }),
  category: nullableText.annotate({
    description: "Category by which it charges, such as utility or service. New ones may appear."
  }),
  type: nullableText.annotate({
    description: "Kind of price, such as regular, free_customer_service or free_entry_point. New ones may appear."
  }),
  model: nullableText.annotate({ description: "Pricing model, such as PMP (per message). New ones may appear." })
}).annotate({
  identifier: "MessagePricing",
  description: "What the platform says of the message's price; absent while it says nothing.",
  examples: [{ billable: true, category: "utility", type: "regular", model: "PMP" }]
})
export type MessagePricing = typeof MessagePricing.Type

const part = (description: string) => Schema.optionalKey(Schema.String.annotateKey({ description }))

/** The advertisement or post from which a customer wrote. U-INB-04 */
export const MessageReferral = Schema.Struct({
  source_type: part("Kind of the source, such as ad or post; new ones may appear."),
  source_id: part("The provider's id of the source."),
  source_url: part("Page of the source."),
  headline: part("Headline of the source."),
  body: part("Text of the source."),
  click_id: part("Id of the click, by which the advertiser counts conversions.")
}).annotate({
  identifier: "MessageReferral",
  description: "The advertisement or post from which the customer wrote; absent without one.",
  examples: [{ source_type: "ad", source_id: "120226305854810726", headline: "Agende hoje", click_id: "Aff-x" }]
})
export type MessageReferral = typeof MessageReferral.Type

/** The quoted message, and whether the message was forwarded. M-READ-21, M-READ-22 */
export const MessageContext = Schema.Struct({
  reply_to: Schema.NullOr(
    Schema.Struct({
      message_id: nullableText.annotate({ description: "Id of the quoted message, if this service knows it." }),
      provider_message_id: nullableText.annotate({ description: "The provider's id of the quoted message." })
    })
  ).annotate({ description: "The quoted message." }),
  forwarded: Schema.Boolean.annotateKey({ description: "Whether the message was forwarded." }),
  frequently_forwarded: Schema.Boolean.annotateKey({ description: "Whether the message was forwarded many times." }),
  referral: Schema.optionalKey(MessageReferral),
  referred_product: Schema.optionalKey(
    Schema.Struct({
      catalog_id: part("The provider's id of the catalog."),
      retailer_id: part("Your id of the product in the catalog.")
    }).annotate({
      identifier: "ReferredProduct",
      description: "The product of a catalog that the customer asks about; absent without one."
    })
  )
})
export type MessageContext = typeof MessageContext.Type

const AddressType = Schema.String.annotate({
  description:
    "Kind of id: chatapp_phone_number, phone_e164, chatapp_user_id, chatapp_group, social_account, social_user or chatapp_channel."
})
const AddressId = Schema.String.annotate({
  description:
    "Id of your number, account or group; for a customer, the phone number or the channel's id. Empty for a sender who hides the phone."
})

/** The sender; the profile name is stored unverified. M-READ-12, M-READ-13 */
export const MessageSender = Schema.Struct({
  type: AddressType,
  id: AddressId,
  profile_name: nullableText.annotate({
    description: "Profile name of the customer at the time of the message; not verified."
  }),
  user_id: Schema.optionalKey(nullableText).annotate({
    description:
      "Inbound only: the platform's id of the customer for your business, which names also a customer who hides the phone; null when the platform named none.",
    examples: ["BR.13491208655302741918"]
  }),
  username: Schema.optionalKey(nullableText).annotate({
    description: "Inbound only: the customer's username at the time of the message; null without one.",
    examples: ["@maria"]
  })
}).annotate({ description: "The sender." })

/** The recipient. M-READ-14 */
export const MessageRecipient = Schema.Struct({ type: AddressType, id: AddressId }).annotate({
  description: "The recipient."
})

/**
 * A message as reads return it; plain list rows leave out `context` and `payload`. M-READ-11..31, gaps-2 B "Plain list
 * rows"
 */
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
  template_name: nullableText.annotate({ description: "Name of the template of the message." }),
  ...templateFields,
  media: Schema.NullOr(MediaDescriptor).annotate({ description: "The file, with type media." }),
  unsupported: Schema.NullOr(UnsupportedContent).annotate({
    description: "With type unsupported: content that the provider did not deliver."
  }),
  unknown: Schema.NullOr(UnknownContent).annotate({
    description: "With type unknown: content that this service does not interpret; the payload holds it."
  }),
  context: Schema.optionalKey(Schema.NullOr(MessageContext)).annotate({
    description: "Quoted message and forwarding. Lists show it with include=payload."
  }),
  payload: Schema.optionalKey(Schema.Unknown).annotateKey({
    description:
      "The content: your own as you sent it, inbound as the provider reported it. Lists show it with include=payload."
  }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  error_code: nullableText.annotate({
    description: "Code of the failure; new codes may appear.",
    "x-known-codes": Object.keys(deliveryCodes)
  }),
  error_message: nullableText.annotate({ description: "The failure in a sentence." }),
  provider_error: Schema.NullOr(ProviderError).annotate({
    description: "The provider's error, if the provider refused the message."
  }),
  pricing: Schema.optionalKey(MessagePricing),
  trace_id: TraceId,
  created_at: Timestamp,
  updated_at: Timestamp,
  redacted_at: Schema.NullOr(Timestamp).annotate({ description: "Time at which the content was erased." }),
  delivery_unconfirmed_at: Schema.NullOr(Timestamp).annotate({
    description: "Time at which the message was given up as unconfirmed: the provider's response never came."
  }),
  group_id: Schema.optionalKey(nullableText).annotate({
    description:
      "Id of the group in which the customer wrote or to which you sent, null for a group that this service does not know; absent for a private message.",
    examples: ["grp_01kah7v3m8q6x2r9d4t5w0y1z3"]
  }),
  provider_group_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The provider's id of that group; absent for a private message."
  }),
  source: Schema.optionalKey(Schema.String).annotateKey({
    description:
      "Outbound only: where it was written, if not here. business_app: in the phone app of the number. New ones may appear.",
    examples: ["business_app"]
  }),
  edited_at: Schema.optionalKey(Timestamp).annotateKey({
    description: "Time at which its author last corrected it; absent otherwise. Another message has the correction."
  }),
  revoked_at: Schema.optionalKey(Timestamp).annotateKey({
    description: "Time at which its author withdrew it; absent otherwise."
  }),
  events: Schema.Array(MessageEventItem).annotate({ description: "Steps of the message, oldest first." })
}) {}

/** A typing indicator that the customer sees. gaps-2 B "Typing indicator" */
export class TypingIndicator extends Schema.Class<TypingIndicator>("TypingIndicator")({
  id: MessageId,
  object: Schema.Literal("typing_indicator"),
  message_id: MessageId,
  expires_at: Timestamp.annotate({ description: "Time at which the indicator disappears." }),
  trace_id: TraceId
}) {}
