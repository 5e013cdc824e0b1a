import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InternalError, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { hasPassingSqlError } from "@carteiro/tables/SqlFailure.ts"
import { type Cause, Effect } from "effect"
import type { Reply } from "../contract/Reply.ts"
import { PublicUrl } from "./PublicUrl.ts"

/** The ids that every response to one request carries. gaps-1 A "Request id", "Trace id" */
export interface RequestIds {
  readonly requestId: string
  readonly traceId: string
}

/**
 * Renders a refusal for the path of its request: the only function that writes an error body. `publicUrl` is the base
 * of the page about its code. A-ERR-01..07
 */
export const errorReply = (error: ApiError, ids: RequestIds, path: string, publicUrl: string): Reply => {
  const wait = error.retry_after_ms === undefined ? undefined : Math.max(0, Math.ceil(error.retry_after_ms))
  const body = JSON.stringify({
    error: {
      type: error.type,
      code: error._tag,
      message: error.message,
      param: error.param,
      request_id: ids.requestId,
      trace_id: ids.traceId,
      retry_after_ms: wait,
      details: error.details,
      retryable: error.retryable,
      doc_url: `${publicUrl}/docs/errors/${error._tag}`,
      feedback: pointsToFeedback(error, path) ? { endpoint: "/v1/feedback", method: "POST" } : undefined,
      discovery:
        error._tag === "route_not_found" && isPublic(path)
          ? { openapi: "/openapi.json", well_known: "/.well-known/svc.json" }
          : undefined
    }
  })
  if (wait !== undefined) {
    return { status: error.status, body, headers: { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) } }
  }
  return error.status === 401
    ? { status: 401, body, headers: { "www-authenticate": "Bearer" } }
    : { status: error.status, body }
}

/**
 * Returns the refusal for a failed request: the contract's own, 503 for interrupted work or an unavailable database,
 * and 500 for every other fault, without its details. A-ERR-18, A-ERR-19
 */
export const readRefusal = (cause: Cause.Cause<ApiError>): ApiError => {
  let stopped = false
  for (const reason of cause.reasons) {
    if (reason._tag === "Fail") return isApiError(reason.error) ? reason.error : new InternalError()
    if (reason._tag === "Die")
      return hasPassingSqlError(cause) ? new ServiceUnavailable({ retry_after_ms: 1000 }) : new InternalError()
    stopped = true
  }
  return stopped ? new ServiceUnavailable({ retry_after_ms: stoppedRetryMillis }) : new InternalError()
}

/** Logs an unhandled fault once, with the ids that a support request quotes. A-ERR-19 */
export const logFault = (cause: Cause.Cause<unknown>, ids: RequestIds, operation: string): Effect.Effect<void> =>
  Effect.logError("Request failed", cause).pipe(
    Effect.annotateLogs({ request_id: ids.requestId, trace_id: ids.traceId, operation })
  )

const stoppedRetryMillis = 1000

// Typed refusals declare the pointer; an unhandled fault has it on public routes other than feedback itself.
const pointsToFeedback = (error: ApiError, path: string): boolean => {
  if (error.feedback !== true) return false
  if (error._tag !== "internal_error") return true
  return isPublic(path) && path !== "/v1/feedback" && !path.startsWith("/v1/feedback/")
}

const isPublic = (path: string): boolean => path === "/v1" || path.startsWith("/v1/")

/**
 * Returns a refusal as a response that is stored under the request's key, because it has an effect: a declined card.
 */
export const refusalReply = (error: ApiError, ids: RequestIds): Effect.Effect<Reply> =>
  Effect.map(PublicUrl, (publicUrl) => errorReply(error, ids, "/v1", publicUrl()))
