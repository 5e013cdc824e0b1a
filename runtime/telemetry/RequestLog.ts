import type { ObservedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import { forkHere } from "@carteiro/owners/Fork.ts"
import { Clock, Effect } from "effect"

/**
 * The requests per second that are all logged; of those beyond, one of `sampledOneOf`. Our own failures are always
 * logged.
 */
const allUpTo = 50
const sampledOneOf = 100

/**
 * Writes one line per request at info: route, status, duration, ids and the API key's id; no path, query, body or
 * secret. Above fifty per second lines are sampled and state how many requests they represent, so that logs never cost
 * more than responses; our own failures are always logged.
 */
export const makeRequestLog = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = yield* forkHere
  let second = 0
  let seen = 0
  return (request: ObservedRequest) => {
    const now = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
    if (now !== second) {
      second = now
      seen = 0
    }
    seen++
    const sampled = seen > allUpTo
    if (sampled && request.status < 500 && seen % sampledOneOf !== 0) return
    const { keyId, method, millis, operation, requestId, route, status, traceId } = request
    fork(
      Effect.logInfo(`${method} ${route} ${status} ${millis} ms`, {
        operation,
        status,
        duration_ms: millis,
        request_id: requestId,
        trace_id: traceId,
        ...(keyId === undefined ? undefined : { api_key_id: keyId }),
        ...(sampled && request.status < 500 ? { sampled_one_of: sampledOneOf } : undefined)
      })
    )
  }
})
