import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateFeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../../platform/http/contract/Reply.ts"
import type { ApiCall } from "../../platform/tenancy/ApiCall.ts"

/** Who writes a report comes from the calling key alone. A-FBK-18 */
type ReportCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "api_key_id">

/** Takes reports in; nothing of one is written, logged or traced before its credentials are gone. gaps-1 H */
export class Reports extends Context.Service<
  Reports,
  {
    /** Answers the receipt, which is also what a replay answers. A-FBK-01..24 */
    receive(call: ReportCall, body: CreateFeedbackReport): Effect.Effect<Reply, ApiError>
  }
>()("@carteiro/runtime/feedback/report/Reports") {}
