import { Clock, Effect, Layer } from "effect"
import { deleteUpTo, type Job } from "../platform/sql/Retention.ts"
import { FeedbackHttp } from "./FeedbackHttp.ts"
import { FeedbackMcpHttp } from "./FeedbackMcpHttp.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { ReportDeskLayer } from "./ReportDeskLayer.ts"
import { ReportDeskRepo } from "./ReportDeskRepo.ts"
import { ReportReadsLayer } from "./ReportReadsLayer.ts"
import { reportRetention } from "./ReportRules.ts"
import { ReportsLayer } from "./ReportsLayer.ts"

export { ReportDesk, type ReportEntry } from "./ReportDesk.ts"
export { dispositions, reportStatuses } from "./ReportStatus.ts"

/** What the dashboard and the operator's commands do with reports. */
export const servicesLayer = ReportDeskLayer.pipe(Layer.provide(ReportDeskRepo.layer))

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
