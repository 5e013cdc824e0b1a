import type { ObservedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import { forkHere } from "@carteiro/owners/Fork.ts"
import { Clock, Effect } from "effect"

/** Requests of one second that are all logged; of what comes beyond, one of `sampledOneOf`. Refusals of ours always. */
const allUpTo = 50
const sampledOneOf = 100

/**
 * One line a request at info: route, status, duration, ids and the API key's id; no path, query, body or secret. Above
 * fifty a second lines are sampled and say how many requests they stand for, so that logs never cost more than answers;
 * what fails on our side is always logged.
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
