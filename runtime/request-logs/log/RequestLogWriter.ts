import { type FinishedRequest, RequestRecorder } from "@carteiro/http-edge/RequestObserver.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { inTurns, type Slices } from "@carteiro/owners/Slices.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { standardRegion } from "@carteiro/spellings/Phone.ts"
import { Clock, Effect, Latch, Layer } from "effect"
import { type LocatedRequest, type LoggedRequest, readRequest } from "./LoggedRequest.ts"
import { RedactionMemory } from "./RedactionMemory.ts"
import { charactersOf, partIntoBlocks, type RequestBlock, sealBlock } from "./RequestBlock.ts"
import { type RequestBatch, RequestBuffer, type WaitingRequest } from "./RequestBuffer.ts"
import { RequestLogRepo } from "./RequestLogRepo.ts"
import { RequestLogSettings } from "./RequestLogSettings.ts"

/** How long finished requests are gathered, in milliseconds, so that those of one environment share a block. */
const gatherMs = 500

/** The most blocks in one statement, and the characters of bodies from which on it takes no more. */
const blocksAtOnce = 256
const charactersAtOnce = 1_048_576

/** The requests that are redacted in one turn of the event loop. */
const readAtOnce = 8

/** How long a stopping node still writes waiting requests, in milliseconds. */
const lastMs = 2000

/**
 * Records finished requests outside of their path: the recorder accepts a request at once or counts it as not kept, and
 * one fiber seals and writes what gathered, in a block for each environment. What cannot be written is counted as dropped.
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
    const pressing = Latch.makeUnsafe(false)

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

    /** Writes some blocks; true once they are written. */
    const write = (memory: RedactionMemory, parts: ReadonlyArray<Part>, notKept: RequestBatch["notKept"]) =>
      Effect.gen(function* () {
        const blocks = yield* inTurns("request log", sealInSlices(secrets, memory, parts))
        yield* repo.write(blocks, notKept, yield* Clock.currentTimeMillis)
        outcomes("written")(countOf(parts))
        return true
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("Finished requests could not be written to the request log", cause), false)
        )
      )

    /**
     * Writes what has gathered. After a failed write the rest is dropped too, so that an unavailable database is not called
     * in a loop.
     */
    const flush = Effect.gen(function* () {
      const batch = buffer.take(yield* Clock.currentTimeMillis)
      if (batch === undefined) return
      const memory = new RedactionMemory(secrets)
      const statements = partIntoStatements(partIntoBlocks(yield* located(batch.requests)))
      let { notKept } = batch
      for (const [at, parts] of statements.entries()) {
        if (!(yield* write(memory, parts, notKept))) {
          const lost = statements.slice(at).flat()
          buffer.lose({ requests: lost.flat(), notKept })
          outcomes("dropped")(countOf(lost))
          return
        }
        notKept = []
      }
    })
    const round = Effect.gen(function* () {
      yield* work.await
      work.closeUnsafe()
      yield* Effect.race(Effect.sleep(gatherMs), pressing.await)
      pressing.closeUnsafe()
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
      if (buffer.isPressing) pressing.openUnsafe()
    }
  })
)

/** The requests of one block. */
type Part = ReadonlyArray<LocatedRequest>

const countOf = (parts: ReadonlyArray<Part>): number => parts.reduce((sum, { length }) => sum + length, 0)

/** Returns the blocks of each statement; one statement of none where there are only counts to write. */
const partIntoStatements = (parts: ReadonlyArray<Part>): ReadonlyArray<ReadonlyArray<Part>> => {
  let last: Array<Part> = []
  let characters = 0
  const statements = [last]
  for (const part of parts) {
    if (last.length >= blocksAtOnce || characters >= charactersAtOnce) {
      last = []
      characters = 0
      statements.push(last)
    }
    last.push(part)
    for (const request of part) characters += charactersOf(request)
  }
  return statements
}

function* sealInSlices(
  secrets: Secrets["Service"],
  memory: RedactionMemory,
  parts: ReadonlyArray<Part>
): Slices<Array<RequestBlock>> {
  const blocks: Array<RequestBlock> = []
  let read = 0
  for (const part of parts) {
    const requests: Array<LoggedRequest> = []
    for (const request of part) {
      requests.push(readRequest(request, memory))
      if (++read % readAtOnce === 0) yield undefined
    }
    const block = part[0] && sealBlock(secrets, part[0].owner, requests)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}
