import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, pageOf } from "../conventions/Page.ts"
import { IdempotencyKeyConflict, InvalidCursor } from "../conventions/SharedErrors.ts"
import { label, text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  FeedbackReportNotFound,
  InvalidFeedbackReportRequest,
  InvalidQuery,
  MissingIdempotencyKey
} from "./FeedbackErrors.ts"
import { ReportContext } from "./ReportContext.ts"

/** The error that a report is about, as text that no check relies on. A-FBK-10, A-FBK-11 */
export const RelatedError = Schema.Struct({
  code: Schema.optionalKey(text(1, 128).annotate({ description: "error.code of the response." })),
  request_id: Schema.optionalKey(text(1, 128).annotate({ description: "error.request_id of the response." })),
  trace_id: Schema.optionalKey(text(1, 128).annotate({ description: "error.trace_id of the response." }))
}).annotate({ description: "The error the report is about." })
export type RelatedError = typeof RelatedError.Type

/** Body of POST /v1/feedback; null is not a value here. A-FBK-08..16, gaps-1 A "Null for an optional field" */
export const CreateFeedbackReport = Schema.Struct({
  message: label(1, 2000).annotate({
    description: "Actual and expected behaviour, 1 to 2000 characters. Leave secrets out."
  }),
  related_error: Schema.optionalKey(RelatedError),
  context: Schema.optionalKey(ReportContext)
}).annotate({
  examples: [
    {
      message: "Listing messages by recipient misses the newest one.",
      related_error: { code: "invalid_cursor", request_id: "req_01kah7v3m8q6x2r9d4t5w0y1z3" },
      context: { route: "GET /v1/messages" }
    }
  ]
})
export type CreateFeedbackReport = typeof CreateFeedbackReport.Type

/** The response to a report; it never repeats the report. A-FBK-04..07 */
export const FeedbackReceipt = Schema.Struct({
  id: id("fbk"),
  object: Schema.Literal("feedback_receipt"),
  received_at: Timestamp,
  redacted: Schema.Boolean.annotate({ description: "Whether credentials were removed before storage." })
}).annotate({ identifier: "FeedbackReceipt" })
export type FeedbackReceipt = typeof FeedbackReceipt.Type

/** The minimized report. A-FBK-30..34; status and disposition are open sets. */
export const FeedbackReport = Schema.Struct({
  id: id("fbk"),
  object: Schema.Literal("feedback_report"),
  status: Schema.String.annotate({ description: "received, in_review, resolved or closed; more may follow." }),
  message_excerpt: Schema.String.annotate({ description: "Beginning of the report, at most 160 characters." }),
  created_at: Timestamp,
  latest_resolution: Schema.NullOr(
    Schema.Struct({
      disposition: Schema.String.annotate({
        description: "fixed, documented, already_supported, duplicate or not_planned; more may follow."
      }),
      public_summary: Schema.String.annotateKey({ description: "Reply of the operators." }),
      published_at: Timestamp
    })
  ).annotate({ description: "Result of the report; null until it is published." })
}).annotate({ identifier: "FeedbackReport" })
export type FeedbackReport = typeof FeedbackReport.Type

const trace_id = TraceId
const reading: OperationTraits = { scopes: ["messages:read"], rate: "read", validation: InvalidQuery.code }

/** Routes for feedback to the operators of the service. A-FBK-01, gaps-1 C "Scope of each document 1 route" */
export class FeedbackApi extends HttpApiGroup.make("feedback")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateFeedbackReport,
      success: Schema.Struct({ ...FeedbackReceipt.fields, trace_id }).pipe(HttpApiSchema.status(201)),
      error: [InvalidFeedbackReportRequest.wire, MissingIdempotencyKey.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, {
        scopes: [],
        rate: "feedback_write",
        realTime: true,
        validation: InvalidFeedbackReportRequest.code,
        idempotency: "required",
        missingKeyCode: MissingIdempotencyKey.code,
        strictBody: true,
        softBodyBytes: 32_768,
        rateAfterIdempotency: true
      })
      .annotate(OpenApi.Summary, "Send feedback")
      .annotate(
        OpenApi.Description,
        "Any valid key. Credentials are redacted before storage. Body at most 32 KiB. Returns a receipt."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        limit: Schema.optionalKey(integerParam(1, 50)),
        after: Schema.optionalKey(Schema.String).annotate({
          description: "next_cursor of the previous page; omit it for the first page."
        })
      },
      success: pageOf(FeedbackReport),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List feedback reports")
      .annotate(OpenApi.Description, "Reports sent through the API from this environment, newest first."),
    HttpApiEndpoint.get("get", "/:feedback_report_id", {
      params: { feedback_report_id: pathId("fbk") },
      success: Schema.Struct({ ...FeedbackReport.fields, trace_id }),
      error: FeedbackReportNotFound.wire
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read a feedback report")
      .annotate(OpenApi.Description, "A report of this environment with its status.")
  )
  .prefix("/v1/feedback")
  .annotate(OpenApi.Title, "Feedback")
  .annotate(OpenApi.Description, "Reports to the people who run the service.") {}
