import type { ObservedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import { forkHere } from "@carteiro/owners/Fork.ts"
import { Clock, Effect } from "effect"

/**
 * The requests per second that are all logged; of those beyond, one of `sampledOneOf`. Our own failures are always
 * logged.
 */
const allUpTo = 50
const sampledOneOf = 100
/** Requests of this duration are slow, in milliseconds; so many of them a second are logged beside the sampled ones. */
const slowMs = 1000
const slowUpTo = 10

/**
 * Writes one line per request at info: route, status, duration, ids and the API key's id; no path, query, body or
 * secret. Above fifty per second lines are sampled and state how many requests they represent, so that logs never cost
 * more than responses. Our own failures are always logged, and ten slow requests a second: a board that shows either has
 * a line that leads to one of them.
 */
export const makeRequestLog = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = yield* forkHere
  let second = 0
  let seen = 0
  let slow = 0
  return (request: ObservedRequest) => {
    const now = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
    if (now !== second) {
      second = now
      seen = 0
      slow = 0
    }
    seen++
    const sampled = seen > allUpTo
    const isKept = request.status >= 500 || (sampled && request.millis >= slowMs && slow++ < slowUpTo)
    if (sampled && !isKept && seen % sampledOneOf !== 0) return
    const { keyId, method, millis, operation, requestId, route, status, traceId } = request
    fork(
      Effect.logInfo(`${method} ${route} ${status} ${millis} ms`, {
        operation,
        status,
        duration_ms: millis,
        request_id: requestId,
        trace_id: traceId,
        ...(keyId === undefined ? undefined : { api_key_id: keyId }),
        ...(sampled && !isKept ? { sampled_one_of: sampledOneOf } : undefined)
      })
    )
  }
})
