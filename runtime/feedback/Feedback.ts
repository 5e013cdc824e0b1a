import { Clock, Effect, Layer } from "effect"
import { deleteUpTo, type Job } from "../platform/sql/Retention.ts"
import { ReportAdminLayer } from "./admin/ReportAdminLayer.ts"
import { ReportAdminRepo } from "./admin/ReportAdminRepo.ts"
import { FeedbackMcpHttp } from "./mcp/FeedbackMcpHttp.ts"
import { FeedbackHttp } from "./report/FeedbackHttp.ts"
import { FeedbackRepo } from "./report/FeedbackRepo.ts"
import { ReportReadsLayer } from "./report/ReportReadsLayer.ts"
import { reportRetention } from "./report/ReportRules.ts"
import { ReportsLayer } from "./report/ReportsLayer.ts"

export { ReportAdmin, type ReportEntry } from "./admin/ReportAdmin.ts"
export { dispositions, reportStatuses } from "./report/ReportStatus.ts"

/** What the dashboard and the operator's commands do with reports. */
export const servicesLayer = ReportAdminLayer.pipe(Layer.provide(ReportAdminRepo.layer))

/** Routes and services of the room, with the tools of MCP; needs `Admission` for those. */
export const layer = Layer.merge(FeedbackHttp, FeedbackMcpHttp).pipe(
  Layer.provide(Layer.merge(ReportsLayer, ReportReadsLayer)),
  Layer.provide(FeedbackRepo.layer),
  Layer.merge(servicesLayer)
)

/** Purges reports 365 days after they were sent. gaps-1 H "Retention of reports" */
export const jobs: ReadonlyArray<Job> = [
  {
    name: "feedback.purge",
    everyMs: 3_600_000,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      deleteUpTo("feedback_reports", "created_at", now - reportRetention)
    )
  }
]
