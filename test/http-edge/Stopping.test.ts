import { connect } from "node:net"
import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { Door, sampleServer } from "./SampleServer.ts"
import { call, requestBytes } from "./Wire.ts"

const started = Effect.fnUntraced(function* (drainMillis: number) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(sampleServer({ drainMillis }), scope)
  return { context, stop: Scope.close(scope, Exit.void) }
})

// Waits for the handler itself: the request is inside when its body was seen.
const waiting = Effect.fnUntraced(function* (context: Context.Context<Door | HttpServer>) {
  const fiber = yield* Effect.forkChild(Effect.provide(call("POST /v1/parcels", { body: { name: "wait" } }), context))
  yield* Deferred.await(Context.get(context, Door).entered)
  return fiber
})

it.live("finishes running requests and closes their connections before it stops A-ERR-18", () =>
  Effect.gen(function* () {
    const { context, stop } = yield* started(5000)
    const request = yield* waiting(context)
    const stopped = yield* Effect.forkChild(stop)
    yield* Context.get(context, Draining).begun
    assert.isTrue(Context.get(context, Draining).isDraining())
    yield* Deferred.succeed(Context.get(context, Door).gate, undefined)
    const answer = yield* Fiber.join(request)
    assert.deepStrictEqual([answer.status, answer.headers.connection], [201, "close"])
    yield* Fiber.join(stopped)
  })
)

it.live("interrupts what outlasts the drain and answers it 503 A-ERR-18", () =>
  Effect.gen(function* () {
    const { context, stop } = yield* started(1)
    const request = yield* waiting(context)
    yield* stop
    const { status, json } = yield* Fiber.join(request)
    assert.deepStrictEqual([status, json.error.code], [503, "service_unavailable"])
  })
)

it.live("closes idle connections at once A-ERR-18", () =>
  Effect.gen(function* () {
    const { context, stop } = yield* started(5000)
    const { port } = Context.get(context, HttpServer)
    const answered = yield* Deferred.make<void>()
    const closed = yield* Deferred.make<void>()
    const socket = connect(port, "127.0.0.1")
    socket.on("data", () => Deferred.doneUnsafe(answered, Effect.void))
    socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
    socket.write(requestBytes("GET /v1/parcels/a", {}, true))
    yield* Deferred.await(answered)
    yield* stop
    yield* Deferred.await(closed)
  })
)
