import { type FinishedRequest, RequestRecorder } from "@carteiro/http-edge/RequestObserver.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { inTurns, type Slices } from "@carteiro/owners/Slices.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { standardRegion } from "@carteiro/spellings/Phone.ts"
import { Clock, Effect, Latch, Layer } from "effect"
import { type RequestBatch, RequestBuffer, type WaitingRequest } from "./RequestBuffer.ts"
import { RequestLogRepo } from "./RequestLogRepo.ts"
import { RequestLogSettings } from "./RequestLogSettings.ts"
import { type LocatedRequest, type SealedRequest, sealRequest } from "./SealedRequest.ts"

/** How long finished requests are gathered, in milliseconds, so that idle tenants share a statement. */
const gatherMs = 500

/** The most requests in one statement. */
const batchRows = 256

/** The requests that are encrypted in one turn of the event loop. */
const sealedAtOnce = 4

/** How long a stopping node still writes waiting requests, in milliseconds. */
const lastMs = 2000

/**
 * Records finished requests outside of their path: the recorder accepts a request at once or counts it as not kept, and
 * one fiber encrypts and writes waiting requests. A batch that cannot be written is counted as dropped.
 */
export const requestRecorder = Layer.effect(
  RequestRecorder,
  Effect.gen(function* () {
    const settings = yield* RequestLogSettings
    if (settings === undefined) return undefined
    const repo = yield* RequestLogRepo
    const secrets = yield* Secrets
    const clock = yield* Clock.Clock
    const outcomes = (yield* Instruments).counter({
      name: "request_log_requests_total",
      help: "Finished requests by what became of them in the request log",
      labels: ["outcome"]
    })
    const buffer = new RequestBuffer(settings)
    const work = Latch.makeUnsafe(false)

    /** Adds the project's country to requests that were refused before their caller was known. */
    const located = Effect.fnUntraced(function* (requests: ReadonlyArray<WaitingRequest>) {
      const unknown = new Set(
        requests.flatMap(({ owner, region }) => (region === undefined ? [owner.environment_id] : []))
      )
      const regions = unknown.size === 0 ? new Map<string, string>() : yield* repo.regions([...unknown])
      return requests.map(
        (request): LocatedRequest => ({
          ...request,
          region: request.region ?? regions.get(request.owner.environment_id) ?? standardRegion
        })
      )
    })

    const write = (batch: RequestBatch) =>
      Effect.gen(function* () {
        const rows = yield* inTurns("request log", sealInSlices(secrets, yield* located(batch.requests)))
        yield* repo.write(rows, batch.notKept, yield* Clock.currentTimeMillis)
        outcomes("written")(rows.length)
        return true
      }).pipe(
        Effect.catchCause((cause) => {
          buffer.lose(batch)
          outcomes("dropped")(batch.requests.length)
          return Effect.as(Effect.logWarning("Finished requests could not be written to the request log", cause), false)
        })
      )
    const next = Effect.map(Clock.currentTimeMillis, (now) => buffer.take(batchRows, now))
    const flush = Effect.gen(function* () {
      for (let batch = yield* next; batch !== undefined; batch = yield* next) {
        // After a failed write the rest waits for the next round, so that an unavailable database is not called in a
        // loop.
        if (!(yield* write(batch)) || batch.requests.length < batchRows) return
      }
    })
    const round = Effect.gen(function* () {
      yield* work.await
      work.closeUnsafe()
      yield* Effect.sleep(gatherMs)
      yield* Effect.uninterruptible(flush)
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(flush, lastMs))
    yield* Effect.forkScoped(Effect.forever(round))

    return (request: FinishedRequest) => {
      // Reads of the log are not recorded, because a client that follows the log would record its own reads.
      if (request.route.startsWith("/v1/request-logs")) return
      const offered = buffer.offer(request, clock.currentTimeMillisUnsafe())
      if (offered !== "kept") outcomes(offered)(1)
      work.openUnsafe()
    }
  })
)

function* sealInSlices(
  secrets: Secrets["Service"],
  requests: ReadonlyArray<LocatedRequest>
): Slices<Array<SealedRequest>> {
  const rows: Array<SealedRequest> = []
  for (const request of requests) {
    rows.push(sealRequest(secrets, request))
    if (rows.length % sealedAtOnce === 0) yield undefined
  }
  return rows
}
