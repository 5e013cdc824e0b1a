import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { FeedbackApi } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Effect } from "effect"
import { reply } from "../platform/http/Reply.ts"
import { Routes } from "../platform/http/Routes.ts"
import { Cursors } from "../platform/paging/Cursors.ts"
import { listPage, pageSize } from "../platform/paging/Page.ts"
import { readReport } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { Reports } from "./Reports.ts"

const listRoute = "feedback.list"

/** The routes of feedback: reports sent through the API from the caller's environment. A-FBK-01..41 */
export const FeedbackHttp = Routes.group(
  FeedbackApi,
  Effect.gen(function* () {
    const repo = yield* FeedbackRepo
    const reports = yield* Reports
    const cursors = yield* Cursors
    return Routes.handlers(FeedbackApi, {
      create: (request) => reports.receive(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, query } = request
        const scope = caller.environment_id
        const after = query.after === undefined ? [] : yield* cursors.decode(listRoute, scope, query.after, "after")
        const size = pageSize(query.limit)
        const rows = yield* repo.list(scope, after[0], size)
        return reply(
          request,
          200,
          listPage(rows, size, readReport, ({ id }) => cursors.encode(listRoute, scope, [id]))
        )
      }),
      get: (request) =>
        Effect.flatMap(repo.find(request.caller.environment_id, request.params.feedback_report_id), (row) =>
          row === undefined
            ? Effect.fail(new FeedbackReportNotFound())
            : Effect.succeed(reply(request, 200, readReport(row)))
        )
    })
  })
)
