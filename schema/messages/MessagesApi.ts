import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor, ProviderError } from "../conventions/SharedErrors.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import { FlowNotFound } from "../flows/FlowErrors.ts"
import { GroupNotActive, GroupNotFound } from "../groups/GroupErrors.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "../phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound, TemplateParamMismatch } from "../templates/TemplateErrors.ts"
import { Message, MessageAccepted, TypingIndicator } from "./Message.ts"
import * as Errors from "./MessageErrors.ts"
import { SendMessage } from "./SendMessage.ts"
import { Channel, Direction, isGroupId, isUserId, MessageStatus, MessageType } from "./Vocabulary.ts"

/** Query of GET /v1/messages; refuses unknown parameters. M-READ-02..09, gaps-2 B "More list filters" */
export const listMessagesQuery = {
  ...pageQuery(),
  created_after: Schema.optionalKey(TimestampInput).annotate({
    description: "Messages created after this instant; RFC 3339."
  }),
  created_before: Schema.optionalKey(TimestampInput).annotate({
    description: "Messages created before this instant; RFC 3339."
  }),
  include: Schema.optionalKey(Schema.Literal("payload")).annotate({ description: "Adds context and payload." }),
  channel: Schema.optionalKey(Channel),
  direction: Schema.optionalKey(Direction),
  status: Schema.optionalKey(MessageStatus),
  type: Schema.optionalKey(MessageType),
  sender_id: Schema.optionalKey(Schema.String).annotate({ description: "Id of the sending number or account." }),
  recipient: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The customer's phone number, as it was sent or as people write it in the default_region of the project. Escape + as %2B. Or the user_id of their messages, or the id of a group."
    }).check(
      Schema.makeFilter(
        (written: string) => written.replace(/\D/g, "").length >= 8 || isUserId(written) || isGroupId(written),
        { expected: "a phone number, a user_id or the id of a group" }
      )
    )
  ),
  batch_id: Schema.optionalKey(Schema.String).annotate({ description: "Id of the batch of the message." }),
  template_name: Schema.optionalKey(Schema.String).annotate({ description: "Name of the template." })
}

/** Routes to send, read and list messages. M-MSG-01, M-READ-01, M-READ-02 */
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
        Errors.RecipientDuplicateMessage.wire,
        Errors.RecipientFrequencyCapped.wire,
        Errors.RecipientCadencePolicyUnavailable.wire,
        Errors.SpendLimitExceeded.wire,
        PhoneServiceSuspended.wire,
        PhoneNumberNotFound.wire,
        GroupNotFound.wire,
        GroupNotActive.wire,
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
        warning: "invalid_phone_number",
        idempotency: "optional",
        capability: "messaging",
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Identifier, "messages.send")
      .annotate(OpenApi.Summary, "Send a message")
      .annotate(
        OpenApi.Description,
        "Accepted means stored; events report the progress of the message. With an idempotency-key, a repeated call never sends twice. Free text needs a customer who wrote within 24 hours; in a sandbox, simulate that first."
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
      .annotate(
        OpenApi.Description,
        "Newest first. Filters are combined with AND; `include=payload` adds each payload."
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/v1/messages/:message_id/cancel", {
      params: { message_id: pathId("msg") },
      success: Message,
      error: [Errors.MessageNotFound.wire, Errors.MessageNotCancellable.wire]
    })
      .annotate(Traits, {
        scopes: ["messages:write"],
        rate: "write",
        validation: Errors.InvalidMessageRequest.code,
        idempotency: "optional",
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Cancel a queued message")
      .annotate(
        OpenApi.Description,
        "Stops a message that is still queued, including a held one; it costs nothing. Cancelling again changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.post("typing", "/v1/messages/:message_id/typing", {
      params: { message_id: pathId("msg") },
      success: TypingIndicator,
      error: [
        Errors.InvalidMessageRequest.wire,
        Errors.SenderPhoneNumberUnavailable.wire,
        Errors.MessageNotFound.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["messages:write"],
        rate: "write",
        validation: Errors.InvalidMessageRequest.code,
        capability: "messaging",
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Show a typing indicator")
      .annotate(
        OpenApi.Description,
        "Marks a customer's chatapp message as read and shows them a typing indicator for 25 seconds."
      )
  )
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Messages to customers and from customers.") {}
