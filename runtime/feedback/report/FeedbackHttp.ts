import { pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { FeedbackApi } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Effect } from "effect"
import { ReportReads } from "./ReportReads.ts"
import { checkRedactable } from "./ReportRules.ts"
import { Reports } from "./Reports.ts"

/** The routes of feedback: reports sent through the API from the caller's environment. A-FBK-01..41 */
export const FeedbackHttp = Routes.group(
  FeedbackApi,
  Effect.gen(function* () {
    const reads = yield* ReportReads
    const reports = yield* Reports
    return Routes.handlers(FeedbackApi, {
      create: Routes.checked(checkRedactable, (request) => reports.receive(request, request.body)),
      list: (request) => {
        const { caller, query } = request
        return Effect.map(reads.list(caller.environment_id, query.after, pageSize(query.limit)), (page) =>
          pageReply(request, page)
        )
      },
      get: (request) =>
        Effect.map(reads.get(request.caller.environment_id, request.params.feedback_report_id), (report) =>
          reply(request, 200, report)
        )
    })
  })
)
