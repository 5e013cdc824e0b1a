import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactNotFound, DataExportDisabled } from "../contacts/ContactErrors.ts"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { IdempotencyKeyConflict, InvalidCursor, InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import * as MessageErrors from "../messages/MessageErrors.ts"
import { Metadata } from "../messages/Metadata.ts"
import { Channel } from "../messages/Vocabulary.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "../phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound, TemplateParamMismatch } from "../templates/TemplateErrors.ts"
import * as Errors from "./BatchErrors.ts"
import { CreateBatch } from "./CreateBatch.ts"

const count = (description: string) => Schema.Int.annotate({ description })
const nullableText = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** The status of a batch. gaps-2 H "Batch states" */
export const BatchStatus = Schema.Literals([
  "scheduled",
  "queued",
  "processing",
  "paused",
  "completed",
  "cancelled",
  "failed"
]).annotate({
  description:
    "scheduled or queued before it starts; processing while messages are created or wait; completed when all messages have left the queue."
})
export type BatchStatus = typeof BatchStatus.Type

/** A command for a batch. gaps-2 H "Pause, resume, cancel" */
export const BatchCommand = Schema.Literals(["pause", "resume", "cancel"])
export type BatchCommand = typeof BatchCommand.Type

/** An estimate of the sender's daily allowance, made when the batch is accepted. M-BAT-03..06 */
export const BatchPacing = Schema.Struct({
  deferred_recipient_count: count("Recipients expected to wait for the number's daily allowance of new recipients."),
  estimated_windows: count("Estimated number of daily windows that the batch needs, including the current one.")
})
export type BatchPacing = typeof BatchPacing.Type

const batchFields = {
  id: id("bat"),
  object: Schema.Literal("batch"),
  name: nullableText("Your name for the batch."),
  status: BatchStatus,
  environment: EnvironmentKind,
  channel: Channel,
  sender: Schema.Struct({
    type: Schema.String.annotate({ description: "chatapp_phone_number." }),
    id: Schema.String.annotate({ description: "Id of the sending number." })
  }).annotate({ description: "The sender." }),
  template: Schema.Struct({
    name: Schema.String.annotate({ description: "Name of the template." }),
    language: Schema.String.annotate({ description: "Its language." }),
    template_id: nullableText("Id of the template."),
    template_version_id: nullableText("Id of the version that was approved when the batch was accepted."),
    template_version: Schema.NullOr(Schema.Int).annotate({ description: "Number of the template version." })
  }).annotate({ description: "The template that every recipient receives." }),
  recipient_count: count("Number of recipients. For an audience, the count at acceptance until the batch starts."),
  enqueued_count: count("Recipients for whom a message was created."),
  sent_count: count("Messages sent so far."),
  delivered_count: count("Messages delivered so far."),
  read_count: count("Messages read so far."),
  failed_count: count("Failed recipients: those skipped, and those whose message failed, even after it was sent."),
  recipient_guard_skipped_count: count("Recipients skipped by the marketing guards."),
  cancelled_count: count("Recipients whose message was cancelled."),
  pacing: Schema.NullOr(BatchPacing).annotate({
    description:
      "An estimate, in the response of POST only. Null means that there is no estimate; messages may still wait."
  }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "Your metadata." }),
  scheduled_at: Schema.NullOr(Timestamp).annotate({ description: "Start time; null for an immediate start." }),
  failure: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotate({ description: "Code of the failure; new codes may appear." }),
      message: Schema.String.annotate({ description: "The failure in a sentence." })
    })
  ).annotate({ description: "Failure of the batch as a whole; null otherwise." }),
  trace_id: TraceId,
  created_at: Timestamp,
  updated_at: Timestamp
}

/**
 * One template for many recipients, and its progress; there is no completion timestamp. M-BAT-01, M-BAT-09, M-BAT-10
 */
export const Batch = Schema.Struct(batchFields).annotate({ identifier: "Batch" })
export type Batch = typeof Batch.Type

/** One recipient and the state of their message. M-BAT-11, gaps-2 H "Recipients and failure export" */
export const BatchRecipient = Schema.Struct({
  to: nullableText("The phone number; null for a customer who hides it, and after erasure."),
  user_id: nullableText("The platform's id of a customer who hides the phone; null otherwise, and after erasure."),
  message_id: nullableText("Id of the recipient's message; null when none was created."),
  status: Schema.String.annotate({
    description: "pending before the message is created, failed without one, otherwise the status of the message."
  }),
  status_reason: nullableText(
    "Reason for waiting: messaging_limit_pacing while the sender's daily allowance is used up."
  ),
  error_code: nullableText("Code of the failure; new codes may appear.")
}).annotate({ identifier: "BatchRecipient" })
export type BatchRecipient = typeof BatchRecipient.Type

/**
 * One failed recipient; the guards' reasons are kept for 90 days. M-BAT-24, gaps-2 H "Recipients and failure export"
 */
export const BatchFailure = Schema.Struct({
  to: nullableText("The phone number; null for a customer who hides it, and after erasure."),
  user_id: nullableText("The platform's id of a customer who hides the phone; null otherwise, and after erasure."),
  message_id: nullableText("Id of the message; null when none was created."),
  error_code: nullableText("Code of the failure; new codes may appear."),
  error_message: nullableText("The failure in a sentence."),
  guard_reason: nullableText("The guard that skipped the recipient; null after 90 days."),
  next_allowed_at: Schema.NullOr(Timestamp).annotate({
    description:
      "Time from which the guard allows this content again; null when waiting does not help, and after 90 days."
  }),
  failed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the failure." })
}).annotate({ identifier: "BatchFailure" })
export type BatchFailure = typeof BatchFailure.Type

const params = { batch_id: pathId("bat") }
const writing: OperationTraits = {
  scopes: ["messages:write"],
  rate: "write",
  validation: Errors.InvalidBatchRequest.code,
  idempotency: "optional",
  restrictedWithoutCredit: true
}
const reading: OperationTraits = {
  scopes: ["messages:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true
}
const moveErrors = [Errors.BatchNotFound.wire, Errors.BatchStateConflict.wire, IdempotencyKeyConflict.wire] as const

/** Routes of batches of one template. M-BAT-01, M-BAT-02 */
export class BatchesApi extends HttpApiGroup.make("batches")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateBatch,
      success: Batch.pipe(HttpApiSchema.status(202)),
      error: [
        Errors.InvalidBatchRequest.wire,
        MessageErrors.InvalidPhoneE164.wire,
        MessageErrors.SpendLimitExceeded.wire,
        TemplateNotFound.wire,
        TemplateNotApproved.wire,
        TemplateParamMismatch.wire,
        PhoneServiceSuspended.wire,
        PhoneNumberNotFound.wire,
        Errors.AudienceNotFound.wire,
        ContactNotFound.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, { ...writing, capability: "messaging", warning: "invalid_phone_number" })
      .annotate(OpenApi.Summary, "Send a batch")
      .annotate(
        OpenApi.Description,
        "Sends one approved template to up to 10,000 recipients, or to contacts selected by ids, a filter or an audience. Messages are created as fast as the number sends. New recipients beyond the number's daily allowance wait for the next window."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        status: Schema.optionalKey(BatchStatus)
      },
      success: pageOf(Batch),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List batches")
      .annotate(OpenApi.Description, "Batches of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:batch_id", { params, success: Batch, error: Errors.BatchNotFound.wire })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read a batch")
      .annotate(OpenApi.Description, "Returns the batch with its progress."),
    HttpApiEndpoint.post("pause", "/:batch_id/pause", { params, success: Batch, error: moveErrors })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Pause a batch")
      .annotate(OpenApi.Description, "Creates no further messages; queued messages are still sent."),
    HttpApiEndpoint.post("resume", "/:batch_id/resume", { params, success: Batch, error: moveErrors })
      .annotate(Traits, { ...writing, capability: "messaging" })
      .annotate(OpenApi.Summary, "Resume a batch")
      .annotate(OpenApi.Description, "Continues where the batch was paused."),
    HttpApiEndpoint.post("cancel", "/:batch_id/cancel", { params, success: Batch, error: moveErrors })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Cancel a batch")
      .annotate(OpenApi.Description, "Permanent: queued messages are cancelled, messages being sent finish."),
    HttpApiEndpoint.get("recipients", "/:batch_id/recipients", {
      params,
      query: pageQuery(),
      success: pageOf(BatchRecipient),
      error: [InvalidQuery.wire, InvalidCursor.wire, Errors.BatchNotFound.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List the recipients of a batch")
      .annotate(OpenApi.Description, "Recipients in the order in which they were given, each with its message."),
    HttpApiEndpoint.get("failures", "/:batch_id/failures", {
      params,
      query: pageQuery(),
      success: pageOf(BatchFailure),
      error: [InvalidQuery.wire, InvalidCursor.wire, Errors.BatchNotFound.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List the failures of a batch")
      .annotate(OpenApi.Description, "Failed recipients in the order in which they were given."),
    HttpApiEndpoint.get("exportFailures", "/:batch_id/failures/export", {
      params,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      error: [Errors.BatchNotFound.wire, DataExportDisabled.wire]
    })
      .annotate(Traits, { ...reading, mayLag: true })
      .annotate(OpenApi.Summary, "Export the failures of a batch")
      .annotate(OpenApi.Description, "All failures as text/csv: a header line, then one line for each failure.")
  )
  .prefix("/v1/batches")
  .annotate(OpenApi.Title, "Batches")
  .annotate(OpenApi.Description, "One template to many recipients.") {}
