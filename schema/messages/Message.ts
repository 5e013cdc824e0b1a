import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { FlowNotFound } from "../flows/FlowErrors.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "../phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound, TemplateParamMismatch } from "../templates/TemplateErrors.ts"
import { deliveryCodes } from "./DeliveryCodes.ts"
import { MediaDescriptor, UnknownContent, UnsupportedContent } from "./InboundContent.ts"
import * as Errors from "./MessageErrors.ts"
import { Metadata } from "./Metadata.ts"
import { SendMessage } from "./SendMessage.ts"
import { Channel, Direction, MessageStatus, MessageType, phoneDigits } from "./Vocabulary.ts"

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

/** Query of GET /v1/messages; an unknown parameter is refused. M-READ-02..09, gaps-2 B "More list filters" */
export const listMessagesQuery = {
  ...pageQuery(),
  created_after: Schema.optionalKey(TimestampInput).annotate({ description: "Made after this instant; RFC 3339." }),
  created_before: Schema.optionalKey(TimestampInput).annotate({ description: "Made before this instant; RFC 3339." }),
  include: Schema.optionalKey(Schema.Literal("payload")).annotate({ description: "Adds context and payload." }),
  channel: Schema.optionalKey(Channel),
  direction: Schema.optionalKey(Direction),
  status: Schema.optionalKey(MessageStatus),
  type: Schema.optionalKey(MessageType),
  sender_id: Schema.optionalKey(Schema.String).annotate({ description: "Id of the sending number or account." }),
  recipient: Schema.optionalKey(
    Schema.String.annotate({ description: "The customer's phone number in international form." }).check(
      Schema.makeFilter((written: string) => phoneDigits(written) !== undefined, { expected: "an E.164 phone number" })
    )
  ),
  batch_id: Schema.optionalKey(Schema.String).annotate({ description: "Id of the batch it was sent in." }),
  template_name: Schema.optionalKey(Schema.String).annotate({ description: "Name of the template." })
}

/** Send, read and list messages. M-MSG-01, M-READ-01, M-READ-02 */
export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("create", "/v1/messages", {
      payload: SendMessage,
      success: MessageAccepted.pipe(HttpApiSchema.status(202)),
      error: [
        Errors.InvalidMessageRequest.wire,
        Errors.InvalidPhoneE164.wire,
        Errors.InvalidPhoneCountryCallingCode.wire,
        Errors.InvalidPhoneNationalNumber.wire,
        Errors.ServiceWindowRequired.wire,
        Errors.ContactOptedOut.wire,
        Errors.SpendLimitExceeded.wire,
        PhoneServiceSuspended.wire,
        PhoneNumberNotFound.wire,
        Errors.ReplyTargetNotFound.wire,
        Errors.ReplyTargetUnavailable.wire,
        Errors.ReactionTargetInvalid.wire,
        Errors.ReactionTargetExpired.wire,
        Errors.ReactionTargetUnavailable.wire,
        TemplateNotFound.wire,
        TemplateNotApproved.wire,
        TemplateParamMismatch.wire,
        FlowNotFound.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["messages:write"],
        rate: "write",
        validation: Errors.InvalidMessageRequest.code,
        idempotency: "optional",
        capability: "messaging",
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Send a message")
      .annotate(
        OpenApi.Description,
        "Accepted means stored; what becomes of the message is told by its events. Send an idempotency-key, and repeating the call sends nothing twice. Free text needs a customer who wrote within 24 hours; in a sandbox, simulate that first."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/v1/messages/:message_id", {
      params: { message_id: pathId("msg") },
      success: Message,
      error: Errors.MessageNotFound.wire
    })
      .annotate(Traits, {
        scopes: ["messages:read"],
        rate: "read",
        validation: Errors.InvalidMessagesQuery.code,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Read a message")
      .annotate(OpenApi.Description, "A message of the calling key's environment with its payload and its events.")
  )
  .add(
    HttpApiEndpoint.get("list", "/v1/messages", {
      query: listMessagesQuery,
      success: pageOf(Message),
      error: [Errors.InvalidMessagesQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, {
        scopes: ["messages:read"],
        rate: "read",
        validation: Errors.InvalidMessagesQuery.code,
        strictQuery: true,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "List messages")
      .annotate(OpenApi.Description, "Newest first. Filters narrow each other; `include=payload` adds each payload.")
  )
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Sends to customers, and what customers wrote.") {}
