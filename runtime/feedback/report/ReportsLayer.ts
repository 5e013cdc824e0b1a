import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { reply } from "../../platform/http/contract/Reply.ts"
import { CompletedResponses } from "../../platform/idempotency/Completed.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { receipt } from "./FeedbackRead.ts"
import { FeedbackRepo } from "./FeedbackRepo.ts"
import { storable } from "./ReportRules.ts"
import { Reports } from "./Reports.ts"

export const ReportsLayer = Layer.effect(
  Reports,
  Effect.gen(function* () {
    const repo = yield* FeedbackRepo
    const commit = yield* Commit
    const ids = yield* Ids
    const responses = yield* CompletedResponses
    return Reports.of({
      receive: Effect.fnUntraced(function* (call, body) {
        const { now } = call
        const report = storable(body)
        if (isApiError(report)) return yield* report
        const id = ids.mint("fbk", now)
        const answer = reply(call, 201, receipt(id, now, report.redacted))
        yield* commit.write(
          [repo.insert(id, call.caller, report, now)],
          responses.record(call.idempotency, answer, now)
        )
        return answer
      })
    })
  })
)
