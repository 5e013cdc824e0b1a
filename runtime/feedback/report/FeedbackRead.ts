import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { FeedbackReceipt, FeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { excerpt } from "./ReportRules.ts"

/** A row of `feedback_reports` with its latest resolution; instants are epoch milliseconds. */
export interface FeedbackReportRow {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly created_at: number
  readonly disposition: string | null
  readonly public_summary: string | null
  readonly published_at: number | null
}

/** Returns the minimized report: no message, diagnostics, identity, provenance or history. A-FBK-30..34 */
export const readReport = (row: FeedbackReportRow): FeedbackReport => ({
  id: row.id,
  object: "feedback_report",
  status: row.status,
  message_excerpt: excerpt(row.message),
  created_at: formatTimestamp(row.created_at),
  latest_resolution:
    row.disposition === null || row.public_summary === null || row.published_at === null
      ? null
      : {
          disposition: row.disposition,
          public_summary: row.public_summary,
          published_at: formatTimestamp(row.published_at)
        }
})

/**
 * Returns the receipt of a report stored at an instant in milliseconds; it holds nothing of the report. A-FBK-04..07
 */
export const receipt = (id: string, receivedAt: number, redacted: boolean): FeedbackReceipt => ({
  id,
  object: "feedback_receipt",
  received_at: formatTimestamp(receivedAt),
  redacted
})
