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

/** Where a batch stands. gaps-2 H "Batch states" */
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
    "scheduled and queued before it starts; processing while messages are made and wait; completed when all have left the queue."
})
export type BatchStatus = typeof BatchStatus.Type

/** What to expect of the sender's daily allowance, estimated when the batch is accepted. M-BAT-03..06 */
export const BatchPacing = Schema.Struct({
  deferred_recipient_count: count("Recipients expected to wait for the number's daily allowance of new recipients."),
  estimated_windows: count("Roughly how many daily windows the batch spans, the current one counted.")
})
export type BatchPacing = typeof BatchPacing.Type

const batchFields = {
  id: id("bat"),
  object: Schema.Literal("batch"),
  name: nullableText("What you called it."),
  status: BatchStatus,
  environment: EnvironmentKind,
  channel: Channel,
  sender: Schema.Struct({
    type: Schema.String.annotate({ description: "chatapp_phone_number." }),
    id: Schema.String.annotate({ description: "Id of the number that sends." })
  }).annotate({ description: "Who sends." }),
  template: Schema.Struct({
    name: Schema.String.annotate({ description: "Name of the template." }),
    language: Schema.String.annotate({ description: "Its language." }),
    template_id: nullableText("Id of the template."),
    template_version_id: nullableText("Id of the version that was approved when the batch was accepted."),
    template_version: Schema.NullOr(Schema.Int).annotate({ description: "Number of that version." })
  }).annotate({ description: "What every recipient gets." }),
  recipient_count: count("Recipients in all; of an audience as counted when the batch was accepted, until it starts."),
  enqueued_count: count("Recipients a message was made for."),
  sent_count: count("Messages that were ever sent."),
  delivered_count: count("Messages that were ever delivered."),
  read_count: count("Messages that were read."),
  failed_count: count("Recipients it failed for: skipped ones and messages that failed, also after they were sent."),
  recipient_guard_skipped_count: count("Recipients the marketing guards skipped."),
  cancelled_count: count("Recipients it was cancelled for."),
  pacing: Schema.NullOr(BatchPacing).annotate({
    description: "An estimate of the answer to POST alone; null there says that there is none, not that nothing waits."
  }),
  metadata: Schema.NullOr(Metadata).annotate({ description: "What you attached to it." }),
  scheduled_at: Schema.NullOr(Timestamp).annotate({ description: "When it starts; null for at once." }),
  failure: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotate({ description: "What went wrong; more codes may follow." }),
      message: Schema.String.annotate({ description: "The same in a sentence." })
    })
  ).annotate({ description: "Why the batch failed as a whole." }),
  trace_id: TraceId,
  created_at: Timestamp,
  updated_at: Timestamp
}

/** One template to many recipients, and how far it has come; there is no completion timestamp. M-BAT-01, M-BAT-09, M-BAT-10 */
export const Batch = Schema.Struct(batchFields).annotate({ identifier: "Batch" })
export type Batch = typeof Batch.Type

/** One recipient and what became of it. M-BAT-11, gaps-2 H "Recipients and failure export" */
export const BatchRecipient = Schema.Struct({
  to: nullableText("The phone number; null once it was erased."),
  message_id: nullableText("Id of the message that was made; null before it is and where none is."),
  status: Schema.String.annotate({
    description: "pending before a message is made, failed without one, otherwise the status of the message."
  }),
  status_reason: nullableText("Why it waits: messaging_limit_pacing while the sender's daily allowance is used up."),
  error_code: nullableText("Why it failed; more codes may follow.")
}).annotate({ identifier: "BatchRecipient" })
export type BatchRecipient = typeof BatchRecipient.Type

/** One failed recipient; what the guards said is kept for 90 days. M-BAT-24, gaps-2 H "Recipients and failure export" */
export const BatchFailure = Schema.Struct({
  to: nullableText("The phone number; null once it was erased."),
  message_id: nullableText("Id of the message; null where none was made."),
  error_code: nullableText("Why it failed; more codes may follow."),
  error_message: nullableText("The same in a sentence."),
  guard_reason: nullableText("Which guard skipped it; null after 90 days."),
  next_allowed_at: Schema.NullOr(Timestamp).annotate({
    description: "When the guard lets the same through again; null where no time does, and after 90 days."
  }),
  failed_at: Schema.NullOr(Timestamp).annotate({ description: "When it failed." })
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

/** Broadcasts of one template. M-BAT-01, M-BAT-02 */
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
      .annotate(Traits, { ...writing, capability: "messaging" })
      .annotate(OpenApi.Summary, "Send a batch")
      .annotate(
        OpenApi.Description,
        "One approved template to up to 10,000 recipients, or to contacts by their ids, a filter or an audience. Messages are made as fast as the number sends; new recipients beyond its daily allowance wait for it."
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
      .annotate(OpenApi.Description, "Shows how far it has come."),
    HttpApiEndpoint.post("pause", "/:batch_id/pause", { params, success: Batch, error: moveErrors })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Pause a batch")
      .annotate(OpenApi.Description, "No more messages are made; those that are queued still leave."),
    HttpApiEndpoint.post("resume", "/:batch_id/resume", { params, success: Batch, error: moveErrors })
      .annotate(Traits, { ...writing, capability: "messaging" })
      .annotate(OpenApi.Summary, "Resume a batch")
      .annotate(OpenApi.Description, "Goes on where it was paused."),
    HttpApiEndpoint.post("cancel", "/:batch_id/cancel", { params, success: Batch, error: moveErrors })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Cancel a batch")
      .annotate(OpenApi.Description, "For good: queued messages become cancelled, those on their way finish."),
    HttpApiEndpoint.get("recipients", "/:batch_id/recipients", {
      params,
      query: pageQuery(),
      success: pageOf(BatchRecipient),
      error: [InvalidQuery.wire, InvalidCursor.wire, Errors.BatchNotFound.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List the recipients of a batch")
      .annotate(OpenApi.Description, "In the order in which they were given, each with its message."),
    HttpApiEndpoint.get("failures", "/:batch_id/failures", {
      params,
      query: pageQuery(),
      success: pageOf(BatchFailure),
      error: [InvalidQuery.wire, InvalidCursor.wire, Errors.BatchNotFound.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List the failures of a batch")
      .annotate(OpenApi.Description, "Recipients it failed for, in the order in which they were given."),
    HttpApiEndpoint.get("exportFailures", "/:batch_id/failures/export", {
      params,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      error: [Errors.BatchNotFound.wire, DataExportDisabled.wire]
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Export the failures of a batch")
      .annotate(OpenApi.Description, "All of them as text/csv, one line each after the line of names.")
  )
  .prefix("/v1/batches")
  .annotate(OpenApi.Title, "Batches")
  .annotate(OpenApi.Description, "One template to many recipients.") {}
