import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Effect, Layer } from "effect"
import { parseId } from "../../platform/ids/Ids.ts"
import { Cursors } from "../../platform/paging/Cursors.ts"
import { idPage } from "../../platform/paging/Page.ts"
import { readReport } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { ReportReads } from "./ReportReads.ts"

const route = "feedback.list"

export const ReportReadsLayer = Layer.effect(
  ReportReads,
  Effect.gen(function* () {
    const repo = yield* FeedbackRepo
    const cursors = yield* Cursors
    return ReportReads.of({
      list: (scope, after, size) =>
        idPage(
          { cursors, route, scope, after, param: "after", size },
          (before, count) => repo.list(scope, before, count),
          readReport
        ),
      get: Effect.fnUntraced(function* (scope, id) {
        // An argument of a tool is any text; PostgreSQL takes a NUL in none.
        const row = parseId("fbk", id) ? yield* repo.find(scope, id) : undefined
        return readReport(row ?? (yield* new FeedbackReportNotFound()))
      })
    })
  })
)
