import { bool, defaulted, defineTable, int4, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import type { StorableReport } from "./ReportRules.ts"

/** Reports of problems that callers filed. */
export const feedbackReportsTable = defineTable("feedback_reports", {
  owner: "feedback",
  erasure: { holds: "what the tenant tells us of the service" },
  reset: { leaves: "what the tenant told the operator" },
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    api_key_id: nullable(text),
    origin: text,
    message: text,
    related_error: nullable(jsonOf<StorableReport["related_error"]>()),
    context: nullable(jsonOf<StorableReport["context"]>()),
    redacted: bool,
    status: defaulted(text),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** What was answered to a report. */
export const feedbackResolutionsTable = defineTable("feedback_resolutions", {
  owner: "feedback",
  erasure: { holds: "what we answered" },
  reset: { leaves: "what the operator answered" },
  key: ["environment_id", "feedback_report_id", "number"],
  columns: {
    environment_id: text,
    feedback_report_id: text,
    number: int4,
    disposition: text,
    public_summary: text,
    published_at: timestamptz
  }
})
