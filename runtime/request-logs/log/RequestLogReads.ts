import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { RequestLog, RequestLogDetail } from "@carteiro/schema/request-logs/RequestLog.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import type { NotKept } from "./RequestBuffer.ts"
import { type ListedRequest, type RequestLogFilters, RequestLogRepo } from "./RequestLogRepo.ts"
import { openDetails, type RequestLogRow } from "./SealedRequest.ts"

/** Reads the requests of one environment. */
export class RequestLogReads extends Context.Service<
  RequestLogReads,
  {
    /** Returns requests newest first, before the request with that id, by a bounded walk. */
    list(
      environmentId: string,
      filters: RequestLogFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<RequestLog>>
    notKept(environmentId: string, filters: RequestLogFilters): Effect.Effect<Omit<NotKept, "environment_id">>
    find(environmentId: string, id: string): Effect.Effect<RequestLogDetail | undefined>
  }
>()("@carteiro/runtime/request-logs/log/RequestLogReads") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RequestLogRepo
      const secrets = yield* Secrets
      return RequestLogReads.of({
        list: (environmentId, filters, before, count) =>
          Effect.map(repo.list(environmentId, filters, before, count), ({ rows, walked_to }) => ({
            rows: rows.map(readRequest),
            walked_to
          })),
        notKept: repo.notKept,
        find: (environmentId, id) =>
          parseId("req", id)
            ? Effect.map(repo.find(environmentId, id), (row) => row && readDetail(secrets, row))
            : Effect.undefined
      })
    })
  )
}

const readRequest = (row: ListedRequest): RequestLog => ({
  id: row.id,
  object: "request_log",
  method: row.method,
  route: row.route,
  status: row.status,
  code: row.code,
  duration_ms: row.duration_ms,
  api_key_id: row.api_key_id,
  source_address: row.source_address,
  replayed: row.replayed,
  warning: row.warning,
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at)
})

const readDetail = (secrets: Secrets["Service"], row: RequestLogRow): RequestLogDetail => {
  const details = openDetails(secrets, row)
  return {
    ...readRequest(row),
    details: details === undefined ? "erased" : details.masked ? "masked" : "kept",
    path: details?.path ?? null,
    query: details?.query ?? null,
    idempotency_key: details?.idempotency_key ?? null,
    request_body: details?.request_body ?? null,
    response_body: details?.response_body ?? null
  }
}
