import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { FeedbackHttp } from "./report/FeedbackHttp.ts"
import { FeedbackRepo } from "./report/FeedbackRepo.ts"
import { ReportAdmin } from "./report/ReportAdmin.ts"
import { ReportAdminRepo } from "./report/ReportAdminRepo.ts"
import { ReportReads } from "./report/ReportReads.ts"
import { reportRetention } from "./report/ReportRules.ts"
import { Reports } from "./report/Reports.ts"
import { WholeReportsHttp } from "./report/WholeReportsHttp.ts"

/** The jobs of the room: one purges reports 365 days after they were sent. gaps-1 H "Retention of reports" */
const jobs: ReadonlyArray<Job> = [
  {
    name: "feedback.purge",
    everyMs: hourMs,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      deleteUpTo("feedback_reports", "created_at", now - reportRetention)
    )
  }
]

/** The feedback room: reports of API callers and of people, and the answers to them. */
export const room = defineRoom({
  name: "feedback",
  services: ReportAdmin.layer.pipe(Layer.provide(ReportAdminRepo.layer)),
  routes: Layer.merge(
    FeedbackHttp.pipe(Layer.provide(Layer.merge(Reports.layer, ReportReads.layer)), Layer.provide(FeedbackRepo.layer)),
    WholeReportsHttp.pipe(Layer.provide(ReportAdminRepo.layer))
  ),
  jobs
})
