import type { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import type { FeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Context, type Effect } from "effect"
import type { ListPage } from "../../platform/paging/Page.ts"

/** Reads the minimized reports of one environment; HTTP and MCP answer from the same place. A-FBK-30..37, A-MCP-04 */
export class ReportReads extends Context.Service<
  ReportReads,
  {
    /** Newest first. */
    list(
      environmentId: string,
      after: string | undefined,
      size: number
    ): Effect.Effect<ListPage<FeedbackReport>, InvalidCursor>
    get(environmentId: string, id: string): Effect.Effect<FeedbackReport, FeedbackReportNotFound>
  }
>()("@carteiro/runtime/feedback/report/ReportReads") {}
