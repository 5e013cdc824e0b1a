import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, rowsOf, rowsQuery } from "../conventions/Page.ts"
import { Message } from "./Message.ts"
import { InvalidMessagesQuery, MessageNotFound } from "./MessageErrors.ts"
import { listMessagesQuery } from "./MessagesApi.ts"
import { MessageType } from "./Vocabulary.ts"

/** The content of a message of either direction: `type`, and a member of that name. */
const MessageContent = Schema.StructWithRest(Schema.Struct({ type: MessageType }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

const shownFields = {
  message: Message,
  /** As it was sent, or as this service reads what the customer wrote; null once it was erased. */
  content: Schema.NullOr(MessageContent),
  /** The subject of the events of the message; null for a customer who withheld the phone, and for a group. */
  subject: Schema.NullOr(Schema.Struct({ type: Schema.String, key: Schema.String }))
}

/** A message with the content that its reader sees, in place of the provider's payload. */
export const ShownMessage = Schema.Struct(shownFields)
export type ShownMessage = typeof ShownMessage.Type

/** A message as a line of a file, without what was said. */
export const MessageLine = Schema.Struct({
  ...Struct.pick(Message.fields, [
    "id",
    "created_at",
    "direction",
    "channel",
    "type",
    "status",
    "template_name",
    "error_code",
    "trace_id",
    "updated_at"
  ]),
  sender_id: Schema.String,
  recipient_id: Schema.String
})
export type MessageLine = typeof MessageLine.Type

/** A customer of any environment of the organization whom newest messages are with, found by the end of the phone. */
const PhoneConversation = Schema.Struct({
  /** The newest message. */
  id: id("msg"),
  object: Schema.Literal("phone_conversation"),
  environment_id: id("env"),
  phone: Schema.String
})

const listQuery = { ...rowsQuery, ...Struct.omit(listMessagesQuery, ["include", "limit", "starting_after"]) }
/** The id at which the walk ended before the list did; null when no row is left beyond it. */
const walked_to = Schema.NullOr(Schema.String)

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["messages:read"],
  rate: "read",
  validation: InvalidMessagesQuery.code
}

/** Messages as people read them: with what a customer wrote, and by conversation. M-READ-01..31, decision 0155 */
export class MessageLookupsApi extends HttpApiGroup.make("messageLookups")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        /** Both directions of one customer of the chat app, by phone or by the platform's id. */
        talk_with: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({ ...rowsOf(ShownMessage).fields, walked_to }),
      error: InvalidMessagesQuery.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("lines", "/lines", {
      query: listQuery,
      success: Schema.Struct({ ...rowsOf(MessageLine).fields, walked_to }),
      error: InvalidMessagesQuery.wire
    }).annotate(Traits, traits),
    /**
     * The newest message with each customer of the chat app among the newest 2,000 messages, newest first; none of groups. Of more than `limit`,
     * those whose customer waits for an answer are kept before the others.
     */
    HttpApiEndpoint.get("conversations", "/conversations", {
      query: { limit: integerParam(1, 100) },
      success: rowsOf(ShownMessage)
    }).annotate(Traits, traits),
    /**
     * Customers whose phone ends in these digits, also those who never wrote, among the newest 2,000 messages of each environment of the
     * caller's organization, newest first.
     */
    HttpApiEndpoint.get("endingIn", "/ending-in", {
      query: { digits: Schema.String.check(Schema.isPattern(/^\d{4,15}$/)), limit: integerParam(1, 100) },
      success: rowsOf(PhoneConversation)
    }).annotate(Traits, { ...traits, realTime: true }),
    HttpApiEndpoint.get("get", "/:message_id", {
      params: { message_id: pathId("msg") },
      success: Schema.Struct({ object: Schema.Literal("shown_message"), ...shownFields, trace_id: TraceId }),
      error: MessageNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/messages") {}
