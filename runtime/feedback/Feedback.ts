import { Clock, Effect, Layer } from "effect"
import { deleteUpTo, type Job } from "../platform/sql/Retention.ts"
import { FeedbackHttp } from "./FeedbackHttp.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { reportRetention } from "./ReportRules.ts"
import { ReportsLayer } from "./ReportsLayer.ts"

/** Routes of the room. */
export const layer = FeedbackHttp.pipe(Layer.provide(ReportsLayer), Layer.provide(FeedbackRepo.layer))

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
