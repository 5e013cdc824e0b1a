import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { RequestLog, RequestLogDetail } from "@carteiro/schema/request-logs/RequestLog.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { FormerRequestRepo, type FormerRequestRow } from "./FormerRequestRepo.ts"
import type { RequestDetails } from "./LoggedRequest.ts"
import { openDetails } from "./RequestBlock.ts"
import { RequestBlockRepo } from "./RequestBlockRepo.ts"
import type { NotKept } from "./RequestBuffer.ts"
import type { RequestLine } from "./RequestLines.ts"
import type { RequestLogFilters } from "./RequestLogFilters.ts"
import { RequestLogRepo } from "./RequestLogRepo.ts"

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
      const blocks = yield* RequestBlockRepo
      const former = yield* FormerRequestRepo
      const secrets = yield* Secrets
      return RequestLogReads.of({
        list: Effect.fnUntraced(function* (environmentId, filters, before, count) {
          const some = yield* blocks.list(environmentId, filters, before, count)
          const { rows, walked_to } = some.has_former
            ? joined(some, yield* former.list(environmentId, filters, before, count), count)
            : some
          return { rows: rows.map(readRequest), walked_to }
        }),
        notKept: repo.notKept,
        find: Effect.fnUntraced(function* (environmentId, id) {
          if (!parseId("req", id)) return undefined
          const found = yield* blocks.find(environmentId, id)
          if (found !== undefined) return readDetail(found.line, openDetails(secrets, found.block, found.position))
          const row = yield* former.find(environmentId, id)
          return row && readDetail(row, formerDetails(secrets, row))
        })
      })
    })
  )
}

/** Returns one walk over the requests of two, down to where the first of them ended. */
const joined = (some: Walked<RequestLine>, others: Walked<RequestLine>, count: number): Walked<RequestLine> => {
  const [walked_to] = [some.walked_to, others.walked_to]
    .filter((end) => end !== null)
    .sort()
    .reverse()
  const rows = [...some.rows, ...others.rows]
    .filter(({ id }) => walked_to === undefined || id >= walked_to)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, count)
  return { rows, walked_to: walked_to ?? null }
}

const readRequest = (row: RequestLine): RequestLog => ({
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

const readDetail = (line: RequestLine, details: RequestDetails | undefined): RequestLogDetail => ({
  ...readRequest(line),
  details: details === undefined ? "erased" : details.masked ? "masked" : "kept",
  path: details?.path ?? null,
  query: details?.query ?? null,
  idempotency_key: details?.idempotency_key ?? null,
  request_body: details?.request_body ?? null,
  response_body: details?.response_body ?? null
})

const formerJson = jsonCodec<RequestDetails>()

/** Returns the details of a row that the release before wrote; undefined once they are erased. */
const formerDetails = (
  secrets: Secrets["Service"],
  { details, environment_id, id }: FormerRequestRow
): RequestDetails | undefined => {
  const text = details === null ? undefined : secrets.open("request_log", details, `${environment_id}/${id}`)
  return text === undefined ? undefined : formerJson.read(text)
}
