import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateFeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Context, type Effect } from "effect"
import type { Caller, IdempotencyClaim } from "../platform/admission/Admission.ts"
import type { Reply } from "../platform/http/Reply.ts"

/** A call of the API as far as a report needs it. */
export interface ReportCall {
  readonly caller: Caller
  readonly now: number
  readonly traceId: string
  readonly idempotency?: IdempotencyClaim
}

/** Takes reports in; nothing of one is written, logged or traced before its credentials are gone. gaps-1 H */
export class Reports extends Context.Service<
  Reports,
  {
    /** Answers the receipt, which is also what a replay answers. A-FBK-01..24 */
    receive(call: ReportCall, body: CreateFeedbackReport): Effect.Effect<Reply, ApiError>
  }
>()("@carteiro/runtime/feedback/Reports") {}
