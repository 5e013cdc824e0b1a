import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { FeedbackReportNotFound, InvalidQuery } from "./FeedbackErrors.ts"

const named = Schema.NullOr(Schema.Record(Schema.String, Schema.String))

/** A whole report with every answer, as the people of its organization read it. gaps-1 H "Status and disposition values" */
export const WholeReport = Schema.Struct({
  id: id("fbk"),
  object: Schema.Literal("whole_feedback_report"),
  status: Schema.String,
  message: Schema.String,
  /** The error that the report is about; null where its sender named none. */
  related_error: named,
  /** Details that the sender added. */
  context: named,
  /** Whether credentials were removed before the report was written. */
  redacted: Schema.Boolean,
  created_at: Timestamp,
  /** Newest first. */
  resolutions: Schema.Array(
    Schema.Struct({ disposition: Schema.String, public_summary: Schema.String, published_at: Timestamp })
  )
})
export type WholeReport = typeof WholeReport.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["messages:read"],
  rate: "read",
  validation: InvalidQuery.code
}

/** Whole reports of an environment, also those that no key sent. Decision 0155 */
export class WholeReportsApi extends HttpApiGroup.make("wholeReports")
  .add(
    HttpApiEndpoint.get("list", "/", { query: rowsQuery, success: rowsOf(WholeReport) }).annotate(Traits, traits),
    HttpApiEndpoint.get("get", "/:feedback_report_id", {
      params: { feedback_report_id: pathId("fbk") },
      success: Schema.Struct({ ...WholeReport.fields, trace_id: TraceId }),
      error: FeedbackReportNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/feedback") {}
