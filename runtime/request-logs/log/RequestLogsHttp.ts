import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { RequestLogsApi } from "@carteiro/schema/request-logs/RequestLog.ts"
import { RequestLogNotFound } from "@carteiro/schema/request-logs/RequestLogErrors.ts"
import { Effect } from "effect"
import { RequestLogReads } from "./RequestLogReads.ts"

/** Routes under `/v1/request-logs`. */
export const RequestLogsHttp = Routes.group(
  RequestLogsApi,
  Effect.gen(function* () {
    const reads = yield* RequestLogReads
    const cursors = yield* Cursors
    return Routes.handlers(RequestLogsApi, {
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const { limit, starting_after: after, ...filters } = query
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after, size: pageSize(limit) },
          (before, count) => reads.list(scope, filters, before, count),
          (row) => row
        )
        return pageReply(request, page, { not_kept: yield* reads.notKept(scope, filters) })
      }),
      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const entry = yield* reads.find(caller.environment_id, params.request_id)
        return reply({ traceId }, 200, entry ?? (yield* new RequestLogNotFound()))
      })
    })
  })
)
