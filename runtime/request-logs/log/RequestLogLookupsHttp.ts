import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { RequestLogLookupsApi } from "@carteiro/schema/request-logs/RequestLogLookupsApi.ts"
import { Effect } from "effect"
import { RequestLogReads } from "./RequestLogReads.ts"

/** Operations of people that read the request log. Decision 0155 */
export const RequestLogLookupsHttp = Routes.group(
  RequestLogLookupsApi,
  Effect.map(RequestLogReads, (reads) =>
    Routes.handlers(RequestLogLookupsApi, {
      lines: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { before, limit, ...filters } = query
        const { rows, walked_to } = yield* reads.list(caller.environment_id, filters, before, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows, walked_to })
      })
    })
  )
)
