import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor } from "../conventions/SharedErrors.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "../phone-numbers/PhoneNumberErrors.ts"
import { MediaDescriptor, UnknownContent, UnsupportedContent } from "./InboundContent.ts"
import * as Errors from "./MessageErrors.ts"
import { Metadata } from "./Metadata.ts"
import { SendMessage } from "./SendMessage.ts"
import { Channel, Direction, MessageStatus, MessageType, phoneDigits } from "./Vocabulary.ts"

const nullableText = Schema.NullOr(Schema.String)

/** Why a queued message waits; an open set, null otherwise. M-MSG-05, M-MSG-06 */
const StatusReason = nullableText.annotate({
  description: "`messaging_limit_pacing` while the sender's daily allowance is used up; more values may follow"
})

/** The 202 of POST /v1/messages. M-MSG-03..13 */
export class MessageAccepted extends Schema.Class<MessageAccepted>("MessageAccepted")({
  id: Schema.String,
  object: Schema.Literal("message"),
  status: MessageStatus,
  status_reason: StatusReason,
  channel: Channel,
  environment: EnvironmentKind,
  template_id: nullableText,
  template_version_id: nullableText,
  template_version: Schema.NullOr(Schema.Int),
  created_at: Timestamp,
  trace_id: Schema.String
}) {}

/** One step of a message, oldest first in `events`. M-READ-30, gaps-2 B "Inner read shapes" */
export const MessageEventItem = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  status: MessageStatus,
  occurred_at: Timestamp,
  error_code: nullableText,
  details: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})
export type MessageEventItem = typeof MessageEventItem.Type

/** What the provider said when it refused, in its own numbers. M-READ-27, gaps-2 B "Inner read shapes" */
export const ProviderError = Schema.Struct({
  provider: Schema.String,
  code: Schema.NullOr(Schema.Int),
  subcode: Schema.NullOr(Schema.Int),
  title: nullableText,
  message: nullableText,
  http_status: Schema.NullOr(Schema.Int)
})
export type ProviderError = typeof ProviderError.Type

/** What a message quotes and whether it was forwarded. M-READ-21, M-READ-22 */
export const MessageContext = Schema.Struct({
  reply_to: Schema.NullOr(Schema.Struct({ message_id: nullableText, provider_message_id: nullableText })),
  forwarded: Schema.Boolean,
  frequently_forwarded: Schema.Boolean
})
export type MessageContext = typeof MessageContext.Type

/** The sending side; the profile name is captured, not verified. M-READ-12, M-READ-13 */
export const MessageSender = Schema.Struct({ type: Schema.String, id: Schema.String, profile_name: nullableText })

/** The receiving side. M-READ-14 */
export const MessageRecipient = Schema.Struct({ type: Schema.String, id: Schema.String })

/** A message as reads show it; `context` and `payload` are left out of plain list rows. M-READ-11..31, gaps-2 B "Plain list rows" */
export class Message extends Schema.Class<Message>("Message")({
  id: Schema.String,
  object: Schema.Literal("message"),
  channel: Channel,
  direction: Direction,
  type: MessageType,
  status: MessageStatus,
  status_reason: StatusReason,
  environment: EnvironmentKind,
  sender: MessageSender,
  recipient: MessageRecipient,
  provider: nullableText,
  provider_message_id: nullableText,
  template_name: nullableText,
  template_id: nullableText,
  template_version_id: nullableText,
  template_version: Schema.NullOr(Schema.Int),
  media: Schema.NullOr(MediaDescriptor),
  unsupported: Schema.NullOr(UnsupportedContent),
  unknown: Schema.NullOr(UnknownContent),
  context: Schema.optionalKey(Schema.NullOr(MessageContext)),
  payload: Schema.optionalKey(Schema.Unknown),
  metadata: Schema.NullOr(Metadata),
  error_code: nullableText,
  error_message: nullableText,
  provider_error: Schema.NullOr(ProviderError),
  trace_id: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  redacted_at: Schema.NullOr(Timestamp),
  delivery_unconfirmed_at: Schema.NullOr(Timestamp),
  events: Schema.Array(MessageEventItem)
}) {}

/** Query of GET /v1/messages; an unknown parameter is refused. M-READ-02..09, gaps-2 B "More list filters" */
export const listMessagesQuery = {
  ...pageQuery(),
  created_after: Schema.optionalKey(TimestampInput),
  created_before: Schema.optionalKey(TimestampInput),
  include: Schema.optionalKey(Schema.Literal("payload")),
  channel: Schema.optionalKey(Channel),
  direction: Schema.optionalKey(Direction),
  status: Schema.optionalKey(MessageStatus),
  type: Schema.optionalKey(MessageType),
  sender_id: Schema.optionalKey(Schema.String),
  recipient: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((written: string) => phoneDigits(written) !== undefined, { expected: "an E.164 phone number" })
    )
  ),
  batch_id: Schema.optionalKey(Schema.String),
  template_name: Schema.optionalKey(Schema.String)
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
        Errors.ReplyTargetUnavailable.wire
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
        "Accepted means durably stored; what becomes of the message is told by its events. An idempotency-key makes a repeated call safe."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/v1/messages/:message_id", {
      params: { message_id: pathId("msg") },
      success: Message,
      error: Errors.MessageNotFound.wire
    })
      .annotate(Traits, { scopes: ["messages:read"], rate: "read", validation: Errors.InvalidMessagesQuery.code })
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
        strictQuery: true
      })
      .annotate(OpenApi.Summary, "List messages")
      .annotate(OpenApi.Description, "Newest first. Filters combine with and; `include=payload` adds each payload.")
  )
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Sends to customers, and what customers wrote.") {}
