import { reply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { type WholeReport, WholeReportsApi } from "@carteiro/schema/feedback/WholeReportsApi.ts"
import { Effect } from "effect"
import { ReportAdminRepo, type ReportEntry } from "./ReportAdminRepo.ts"

/** Operations of people that read whole reports. Decision 0155 */
export const WholeReportsHttp = Routes.group(
  WholeReportsApi,
  Effect.gen(function* () {
    const reports = yield* ReportAdminRepo

    return Routes.handlers(WholeReportsApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { environment_id } = caller
        const rows = yield* reports.select({ environment_id, before: query.before }, Number(query.limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(readWhole) })
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const { environment_id } = caller
        const [report] = yield* reports.select({ environment_id, id: params.feedback_report_id }, 1)
        if (report === undefined) return yield* new FeedbackReportNotFound()
        return reply({ traceId }, 200, readWhole(report))
      })
    })
  })
)

const readWhole = (report: ReportEntry): WholeReport => ({
  id: report.id,
  object: "whole_feedback_report",
  status: report.status,
  message: report.message,
  related_error: report.related_error ?? null,
  context: report.context ?? null,
  redacted: report.redacted,
  created_at: formatTimestamp(report.created_at),
  resolutions: report.resolutions.map(({ published_at, ...resolution }) => ({
    ...resolution,
    published_at: formatTimestamp(published_at)
  }))
})
