import type { IncomingMessage } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PayloadTooLarge, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Cause, Effect, Stream } from "effect"
import type { StreamLimits } from "../contract/ApiRequest.ts"
import type { BodyWatch } from "./BodyWatch.ts"
import { late } from "./ReadBody.ts"

/** The bytes that a streaming reader holds at a time: it writes larger pieces than a socket delivers. */
export const streamedBytes = 1_048_576

/**
 * Returns the body piece by piece, as fast as it is read. Fails with 503 where `takeRoom` finds no room, 413 beyond the
 * limit and 408 when the caller is slower than the pace. Time without a reader does not count against the caller.
 */
export const streamBody = (
  request: IncomingMessage,
  watch: BodyWatch,
  { limit, ...pace }: StreamLimits,
  takeRoom: () => boolean
): Stream.Stream<Uint8Array, ApiError> =>
  Stream.suspend(() => {
    if (!takeRoom()) return Stream.fail(new ServiceUnavailable({ retry_after_ms: 1000 }))
    let refusal: ApiError | undefined
    let wake = () => {}
    const onEvent = () => wake()
    const awaited = watch.begin(pace, () => {
      refusal = late()
      wake()
    })
    awaited.isPaused = true
    for (const event of events) request.on(event, onEvent)
    const next = (): Next | undefined => {
      if (refusal !== undefined) return Effect.fail(refusal)
      const chunk: Buffer | null = request.read()
      if (chunk === null) return request.readableEnded || request.destroyed ? ending(request) : undefined
      awaited.received += chunk.length
      return awaited.received > limit ? Effect.fail(new PayloadTooLarge()) : Effect.succeed([chunk])
    }
    const pull: Next = Effect.callback((resume) => {
      const found = next()
      if (found !== undefined) return resume(found)
      awaited.isPaused = false
      wake = () => {
        const found = next()
        if (found === undefined) return
        wake = () => {}
        awaited.isPaused = true
        resume(found)
      }
    })
    const leave = Effect.sync(() => {
      watch.end(awaited)
      for (const event of events) request.off(event, onEvent)
    })
    return Stream.ensuring(Stream.fromPull(Effect.succeed(pull)), leave)
  })

type Next = Effect.Effect<readonly [Uint8Array], ApiError | Cause.Done<void>>

const events = ["readable", "end", "error", "close"] as const

// A caller that went away gets no answer.
const ending = (request: IncomingMessage): Next => (request.readableEnded ? Cause.done() : Effect.interrupt)
