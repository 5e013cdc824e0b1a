import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Deferred, Effect, Layer, Stream } from "effect"
import { Door } from "./SampleServer.ts"

export const hookLimit = 3_145_728
export const streamLimit = 4_194_304

/** Routes that carry no key by design and take their bodies themselves. */
export const bodyRoutes = Layer.mergeAll(
  // As a vendor's webhook, whose signature is over all of its bytes; it waits for the gate once it has them.
  Routes.raw({
    operation: "hook",
    method: "POST",
    path: "/hook",
    maxBodyBytes: hookLimit,
    handler: (request) =>
      Effect.gen(function* () {
        const { entered, gate } = yield* Door
        const bytes = yield* request.body.bytes(hookLimit)
        yield* Deferred.succeed(entered, undefined)
        yield* Deferred.await(gate)
        return reply(request, 200, { bytes: bytes.length })
      })
  }),
  // As an upload, which is handed on while it arrives; it waits for the gate with its first piece.
  Routes.raw({
    operation: "stream",
    method: "PUT",
    path: "/stream",
    maxBodyBytes: 2 * streamLimit,
    handler: (request) =>
      Effect.gen(function* () {
        const { entered, gate } = yield* Door
        const pieces = request.body.stream({ limit: streamLimit, totalMillis: 900_000, leastBytes: 65_536 })
        const bytes = yield* Stream.runFoldEffect(
          pieces,
          () => 0,
          (sum, piece) =>
            Deferred.succeed(entered, undefined).pipe(
              Effect.andThen(Deferred.await(gate)),
              Effect.as(sum + piece.length)
            )
        )
        return reply(request, 200, { bytes })
      })
  })
)
