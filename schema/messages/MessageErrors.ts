import { apiError } from "../conventions/ApiError.ts"

/** Refuses when the body breaks the contract; `param` names the field. M-MSG-21 */
export class InvalidMessageRequest extends apiError("invalid_message_request", {
  status: 400,
  type: "validation_error",
  message: "The message request is not valid."
}) {}

/** Refuses when a list parameter is unknown or not valid. M-ERR-04, M-READ-07 */
export class InvalidMessagesQuery extends apiError("invalid_messages_query", {
  status: 400,
  type: "validation_error",
  message: "The messages query is not valid."
}) {}

/** Refuses a phone number that cannot exist. M-RCP-03, M-RCP-09 */
export class InvalidPhoneE164 extends apiError("invalid_phone_e164", {
  status: 400,
  type: "validation_error",
  message: "The phone number is not a valid E.164 number."
}) {}

/** Refuses a calling code of no numbering plan. M-RCP-07 */
export class InvalidPhoneCountryCallingCode extends apiError("invalid_phone_country_calling_code", {
  status: 400,
  type: "validation_error",
  message: "The country calling code does not exist."
}) {}

/** Refuses a national number that cannot exist under its calling code. M-RCP-08 */
export class InvalidPhoneNationalNumber extends apiError("invalid_phone_national_number", {
  status: 400,
  type: "validation_error",
  message: "The national number is not possible for this calling code."
}) {}

/** Refuses when a message does not exist or belongs to another environment. M-READ-32 */
export class MessageNotFound extends apiError("message_not_found", {
  status: 404,
  type: "not_found",
  message: "No message with this id."
}) {}

/** Refuses when the message is no longer queued. gaps-2 B "Cancel a message" */
export class MessageNotCancellable extends apiError("message_not_cancellable", {
  status: 409,
  type: "conflict",
  message: "Only a message that is still queued can be cancelled."
}) {}

/** Refuses when the number of the conversation cannot be used. M-DLV-03, gaps-2 B "Typing indicator" */
export class SenderPhoneNumberUnavailable extends apiError("sender_phone_number_unavailable", {
  status: 400,
  type: "validation_error",
  message: "The phone number of this conversation is not active."
}) {}

/**
 * Refuses when the quoted message is missing, foreign or of another conversation; unlike a read, the error points to
 * feedback. M-REPLY-02, M-REPLY-06
 */
export class ReplyTargetNotFound extends apiError("message_not_found", {
  status: 404,
  type: "not_found",
  message: "No message with this id in this conversation.",
  feedback: true
}) {}

/** Refuses when the quoted message has no provider id yet. M-REPLY-03, M-REPLY-06 */
export class ReplyTargetUnavailable extends apiError("reply_target_unavailable", {
  status: 409,
  type: "conflict",
  message: "The quoted message has no provider id and cannot be quoted.",
  feedback: true
}) {}

/**
 * Refuses when the target of a reaction is of another channel, was sent by the business, or is itself a reaction.
 * M-REACT-09, M-REACT-11
 */
export class ReactionTargetInvalid extends apiError("reaction_target_invalid", {
  status: 400,
  type: "validation_error",
  message: "Only a customer's message on this channel that is no reaction itself can be reacted to.",
  feedback: true
}) {}

/** Refuses when the target of a reaction is more than 30 days old. M-REACT-04, M-REACT-11 */
export class ReactionTargetExpired extends apiError("reaction_target_expired", {
  status: 400,
  type: "validation_error",
  message: "A message can be reacted to for 30 days.",
  feedback: true
}) {}

/** Refuses when the target of a reaction has no provider id. M-REACT-10, M-REACT-11 */
export class ReactionTargetUnavailable extends apiError("reaction_target_unavailable", {
  status: 409,
  type: "conflict",
  message: "This message has no provider id and cannot be reacted to.",
  feedback: true
}) {}

/** Refuses a free-form message without an open window. M-MSG-22, gaps-2 A "Status of codes that have none" */
export class ServiceWindowRequired extends apiError("service_window_required", {
  status: 400,
  type: "validation_error",
  message:
    "The 24-hour service window with this recipient is closed: it opens when they write to this number. In sandbox simulate that with POST /v1/sandbox/inbound-messages; broadcasts on channel chatapp_channel need no window."
}) {}

/** Refuses when the recipient opted out; only a new opt-in lifts this. M-MSG-23, M-MSG-24 */
export class ContactOptedOut extends apiError("contact_opted_out", {
  status: 400,
  type: "validation_error",
  message: "This recipient opted out; do not retry without renewed consent."
}) {}

/** Refuses when the project's monthly cap is reached. M-ERR-07 */
export class SpendLimitExceeded extends apiError("spend_limit_exceeded", {
  status: 402,
  type: "payment_required",
  message: "The monthly spend cap of this project is reached."
}) {}

/**
 * Refuses when identical marketing content waits for this recipient, or was sent without a later reply. M-GRD-15,
 * M-GRD-20
 */
export class RecipientDuplicateMessage extends apiError("recipient_duplicate_message", {
  status: 400,
  type: "validation_error",
  message:
    "This recipient has, or is about to get, the same marketing content; it may be sent again after they have written.",
  feedback: true
}) {}

/** Refuses when the cap on marketing messages to this recipient is reached. M-GRD-16, M-GRD-20 */
export class RecipientFrequencyCapped extends apiError("recipient_frequency_capped", {
  status: 400,
  type: "validation_error",
  message:
    "Marketing to this recipient is paused: error.details.guard_reason says why, next_allowed_at until when if time helps.",
  feedback: true
}) {}

/** Refuses when the data that the guards need cannot be read. M-GRD-21..23 */
export class RecipientCadencePolicyUnavailable extends apiError("recipient_cadence_policy_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "The data that decides about marketing to this recipient cannot be read now; send the request again later.",
  feedback: true
}) {}
