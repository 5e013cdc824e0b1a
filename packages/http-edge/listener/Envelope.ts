import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InternalError, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { hasPassingSqlError } from "@carteiro/tables/SqlFailure.ts"
import { type Cause, Effect } from "effect"
import type { Reply } from "../contract/Reply.ts"
import { PublicUrl } from "./PublicUrl.ts"

/** The ids that every answer of one request carries. gaps-1 A "Request id", "Trace id" */
export interface RequestIds {
  readonly requestId: string
  readonly traceId: string
}

/**
 * Renders a refusal for the path it was met on: the one place that writes an error body. `publicUrl` is where the page of
 * its code is found. A-ERR-01..07
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
 * The refusal a failed request is answered with: the contract's own, 503 for work that was stopped or that the
 * database could not do now, and 500 for everything else, which says nothing of the fault. A-ERR-18, A-ERR-19
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

/** Logs an unhandled fault once, with what a support request quotes. A-ERR-19 */
export const logFault = (cause: Cause.Cause<unknown>, ids: RequestIds, operation: string): Effect.Effect<void> =>
  Effect.logError("Request failed", cause).pipe(
    Effect.annotateLogs({ request_id: ids.requestId, trace_id: ids.traceId, operation })
  )

const stoppedRetryMillis = 1000

// The typed refusals name themselves; an unhandled fault points there from public routes other than feedback itself.
const pointsToFeedback = (error: ApiError, path: string): boolean => {
  if (error.feedback !== true) return false
  if (error._tag !== "internal_error") return true
  return isPublic(path) && path !== "/v1/feedback" && !path.startsWith("/v1/feedback/")
}

const isPublic = (path: string): boolean => path === "/v1" || path.startsWith("/v1/")

/** A refusal as an answer, for one that has an effect behind it and is stored under the request's key: a declined card. */
export const refusalReply = (error: ApiError, ids: RequestIds): Effect.Effect<Reply> =>
  Effect.map(PublicUrl, (publicUrl) => errorReply(error, ids, "/v1", publicUrl()))
