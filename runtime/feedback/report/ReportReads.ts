import { Cursors, idPage, type ListPage } from "@carteiro/http-edge/Paging.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import type { FeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Context, Effect, Layer } from "effect"
import { readReport } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"

const route = "feedback.list"

/** Reads the minimized reports of one environment, for HTTP and for MCP. A-FBK-30..37, A-MCP-04 */
export class ReportReads extends Context.Service<
  ReportReads,
  {
    /** Returns reports newest first. */
    list(environmentId: string, after: string | undefined, size: number): Effect.Effect<ListPage, InvalidCursor>
    get(environmentId: string, id: string): Effect.Effect<FeedbackReport, FeedbackReportNotFound>
  }
>()("@carteiro/runtime/feedback/report/ReportReads") {
  static readonly layer = Layer.effect(
    this,
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
          // A tool's argument may be any text, and PostgreSQL accepts no NUL.
          const row = parseId("fbk", id) ? yield* repo.find(scope, id) : undefined
          return readReport(row ?? (yield* new FeedbackReportNotFound()))
        })
      })
    })
  ).pipe(Layer.provide(FeedbackRepo.layer))
}
