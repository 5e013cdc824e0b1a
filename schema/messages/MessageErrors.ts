import { apiError } from "../conventions/ApiError.ts"

/** The body breaks the contract; `param` names the field. M-MSG-21 */
export class InvalidMessageRequest extends apiError("invalid_message_request", {
  status: 400,
  type: "validation_error",
  message: "The message request is not valid."
}) {}

/** A list parameter is unknown or not valid. M-ERR-04, M-READ-07 */
export class InvalidMessagesQuery extends apiError("invalid_messages_query", {
  status: 400,
  type: "validation_error",
  message: "The messages query is not valid."
}) {}

/** The phone number cannot be one. M-RCP-03, M-RCP-09 */
export class InvalidPhoneE164 extends apiError("invalid_phone_e164", {
  status: 400,
  type: "validation_error",
  message: "The phone number is not a valid E.164 number."
}) {}

/** No numbering plan has this calling code. M-RCP-07 */
export class InvalidPhoneCountryCallingCode extends apiError("invalid_phone_country_calling_code", {
  status: 400,
  type: "validation_error",
  message: "The country calling code does not exist."
}) {}

/** The national number cannot exist under its calling code. M-RCP-08 */
export class InvalidPhoneNationalNumber extends apiError("invalid_phone_national_number", {
  status: 400,
  type: "validation_error",
  message: "The national number is not possible for this calling code."
}) {}

/** Absent and foreign ids answer alike. M-READ-32 */
export class MessageNotFound extends apiError("message_not_found", {
  status: 404,
  type: "not_found",
  message: "No message with this id."
}) {}

/** It is not queued any more. gaps-2 B "Cancel a message" */
export class MessageNotCancellable extends apiError("message_not_cancellable", {
  status: 409,
  type: "conflict",
  message: "Only a message that is still queued can be cancelled."
}) {}

/** The number of the conversation cannot be used. M-DLV-03, gaps-2 B "Typing indicator" */
export class SenderPhoneNumberUnavailable extends apiError("sender_phone_number_unavailable", {
  status: 400,
  type: "validation_error",
  message: "The phone number of this conversation is not active."
}) {}

/** The quoted message is missing, foreign or of another conversation; unlike a read it points to feedback. M-REPLY-02, M-REPLY-06 */
export class ReplyTargetNotFound extends apiError("message_not_found", {
  status: 404,
  type: "not_found",
  message: "No message with this id in this conversation.",
  feedback: true
}) {}

/** The quoted message has no provider id yet. M-REPLY-03, M-REPLY-06 */
export class ReplyTargetUnavailable extends apiError("reply_target_unavailable", {
  status: 409,
  type: "conflict",
  message: "The quoted message has no provider id and cannot be quoted.",
  feedback: true
}) {}

/** What a reaction is about is of another channel, was sent by the business, or is a reaction itself. M-REACT-09, M-REACT-11 */
export class ReactionTargetInvalid extends apiError("reaction_target_invalid", {
  status: 400,
  type: "validation_error",
  message: "Only a customer's message on this channel that is no reaction itself can be reacted to.",
  feedback: true
}) {}

/** What a reaction is about is more than 30 days old. M-REACT-04, M-REACT-11 */
export class ReactionTargetExpired extends apiError("reaction_target_expired", {
  status: 400,
  type: "validation_error",
  message: "A message can be reacted to for 30 days.",
  feedback: true
}) {}

/** What a reaction is about has no provider id. M-REACT-10, M-REACT-11 */
export class ReactionTargetUnavailable extends apiError("reaction_target_unavailable", {
  status: 409,
  type: "conflict",
  message: "This message has no provider id and cannot be reacted to.",
  feedback: true
}) {}

/** A free-form message without an open window. M-MSG-22, gaps-2 A "Status of codes that have none" */
export class ServiceWindowRequired extends apiError("service_window_required", {
  status: 400,
  type: "validation_error",
  message:
    "The 24-hour service window with this recipient is closed: it opens when they write to this number. In sandbox simulate that with POST /v1/sandbox/inbound-messages; broadcasts on channel chatapp_channel need no window."
}) {}

/** The recipient opted out; only a renewed opt-in lifts it. M-MSG-23, M-MSG-24 */
export class ContactOptedOut extends apiError("contact_opted_out", {
  status: 400,
  type: "validation_error",
  message: "This recipient opted out; do not retry without renewed consent."
}) {}

/** The project's monthly cap is reached. M-ERR-07 */
export class SpendLimitExceeded extends apiError("spend_limit_exceeded", {
  status: 402,
  type: "payment_required",
  message: "The monthly spend cap of this project is reached."
}) {}

/** Identical marketing content waits for this recipient, or was tried and nothing was heard since. M-GRD-15, M-GRD-20 */
export class RecipientDuplicateMessage extends apiError("recipient_duplicate_message", {
  status: 400,
  type: "validation_error",
  message:
    "This recipient has, or is about to get, the same marketing content; it may be sent again after they have written.",
  feedback: true
}) {}

/** Marketing to this recipient has to rest. M-GRD-16, M-GRD-20 */
export class RecipientFrequencyCapped extends apiError("recipient_frequency_capped", {
  status: 400,
  type: "validation_error",
  message:
    "Marketing to this recipient is paused: error.details.guard_reason says why, next_allowed_at until when if time helps.",
  feedback: true
}) {}

/** What the guards must know is missing. M-GRD-21..23 */
export class RecipientCadencePolicyUnavailable extends apiError("recipient_cadence_policy_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "What decides about marketing to this recipient cannot be read now; send the same request again later.",
  feedback: true
}) {}
