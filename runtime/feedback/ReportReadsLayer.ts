import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Effect, Layer } from "effect"
import { parseId } from "../platform/ids/Ids.ts"
import { Cursors } from "../platform/paging/Cursors.ts"
import { listPage } from "../platform/paging/Page.ts"
import { readReport } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { ReportReads } from "./ReportReads.ts"

const listRoute = "feedback.list"

export const ReportReadsLayer = Layer.effect(
  ReportReads,
  Effect.gen(function* () {
    const repo = yield* FeedbackRepo
    const cursors = yield* Cursors
    return ReportReads.of({
      list: Effect.fnUntraced(function* (scope, after, size) {
        const [before] = after === undefined ? [] : yield* cursors.decode(listRoute, scope, after, "after")
        const rows = yield* repo.list(scope, before, size)
        return listPage(rows, size, readReport, ({ id }) => cursors.encode(listRoute, scope, [id]))
      }),
      get: (scope, id) =>
        // An argument of a tool is any text; PostgreSQL takes a NUL in none.
        Effect.flatMap(parseId("fbk", id) ? repo.find(scope, id) : Effect.undefined, (row) =>
          row === undefined ? Effect.fail(new FeedbackReportNotFound()) : Effect.succeed(readReport(row))
        )
    })
  })
)
