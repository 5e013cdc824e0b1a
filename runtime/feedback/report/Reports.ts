import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateFeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { receipt } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { storable } from "./ReportRules.ts"

/** The author of a report comes from the calling key only. A-FBK-18 */
type ReportCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "api_key_id"> & {
  readonly realNow: RealInstant
}

/** Stores reports; nothing of a report is written, logged or traced before its credentials are removed. gaps-1 H */
export class Reports extends Context.Service<
  Reports,
  {
    /** Returns the receipt, also for a replay. A-FBK-01..24 */
    receive(call: ReportCall, body: CreateFeedbackReport): OperationReply
  }
>()("@carteiro/runtime/feedback/report/Reports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* FeedbackRepo
      const commit = yield* Commit
      const ids = yield* Ids
      return Reports.of({
        receive: Effect.fnUntraced(function* (call, body) {
          // Operators read and answer it in real time.
          const { realNow: now } = call
          const report = storable(body)
          if (isApiError(report)) return yield* report
          const id = ids.mint("fbk", now)
          const answer = reply(call, 201, receipt(id, now, report.redacted))
          yield* commit.write([repo.insert(id, call.caller, report, now)], { claim: call.claim, response: answer })
          return answer
        })
      })
    })
  )
}
