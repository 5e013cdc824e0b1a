import type { IncomingMessage, ServerResponse } from "node:http"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Tracing } from "@carteiro/owners/Tracing.ts"
import { traceOf } from "@carteiro/owners/Ulid.ts"
import { PayloadTooLarge, RouteNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Clock, Effect, type Fiber } from "effect"
import { BodyBudget } from "../body/BodyBudget.ts"
import { BodyWatch } from "../body/BodyWatch.ts"
import { RouteTable } from "../contract/RouteTable.ts"
import { httpException } from "../decoding/HttpException.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { hostFault } from "../pipeline/RequestHead.ts"
import { makeAnswering } from "./Answering.ts"
import type { ClientAddress } from "./ClientAddress.ts"
import { logFault, type RequestIds } from "./Envelope.ts"
import { type Exchange, giveLeave, makeExchanges } from "./Exchange.ts"
import { inTurn } from "./Pipelined.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { RequestObserver, RequestRecorder } from "./RequestObserver.ts"
import { beginRequestSpan } from "./RequestSpan.ts"
import { isClosing } from "./Respond.ts"
import { RunningCalls } from "./RunningCalls.ts"
import { makeServing } from "./Serving.ts"

/** Limits of the listener of one node. */
export interface ListenerLimits {
  /** Bytes of bodies that are being read or that running requests hold. */
  readonly bodyBytes: number
  /** Running requests, without long polls. */
  readonly calls: number
}

/** The listener's present load. */
export interface ListenerLoad {
  readonly bodyBytes: number
  readonly calls: number
  /** Bodies that have not arrived completely. */
  readonly awaitedBodies: number
}

/** The request listener, and the functions by which its server stops. */
export interface Listener {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** Handles a request that waits for 100 Continue before it sends its body. */
  readonly onExpectContinue: (request: IncomingMessage, response: ServerResponse) => void
  readonly onUnknownExpectation: (request: IncomingMessage, response: ServerResponse) => void
  /** Running requests. */
  readonly running: ReadonlySet<Fiber.Fiber<unknown, unknown>>
  /** Makes every further response close its connection. */
  readonly closeConnections: () => void
  /** Returns fresh ids for responses without a request object. */
  readonly freshIds: () => RequestIds
  readonly load: () => ListenerLoad
  /** Ends late bodies; called from time to time with milliseconds of a monotonic clock. */
  readonly endLateBodies: (now: number) => void
}

/**
 * Builds the listener: match, declared size, body, pipeline, response. It works on node's objects and runs one fiber
 * per request in the context of its route, with no layer, service lookup or response object per request.
 */
export const makeListener = Effect.fnUntraced(function* (sourceOf: ClientAddress, limits: ListenerLimits) {
  const table = yield* RouteTable
  const ids = yield* Ids
  const recorder = yield* RequestRecorder
  const clock = yield* Clock.Clock
  const tracing = yield* Tracing
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const now = () => clock.currentTimeMillisUnsafe()
  const isRecorded = recorder !== undefined
  const budget = new BodyBudget(limits.bodyBytes)
  const watch = new BodyWatch()
  const running = new RunningCalls(limits.calls)
  let closing = false

  const answering = makeAnswering({
    watch,
    observer: yield* RequestObserver,
    recorder,
    tracing,
    publicUrl: yield* PublicUrl,
    now,
    isClosing: () => closing,
    onFault: (exchange, { cause }) => fork(logFault(cause, exchange, exchange.operation))
  })
  const { refuse, refuseAndClose } = answering
  const pipeline = yield* Pipeline

  const notFound = (exchange: Exchange) => {
    const { authorization, method, path } = exchange.head
    const methods = table.methodsAt(path)
    const answer = () =>
      refuse(
        exchange,
        new RouteNotFound({ message: table.explainMiss(method, path) }),
        methods.length === 0 ? {} : { allow: methods.join(", ") }
      )
    if (!isRecorded || authorization.length !== 1 || !path.startsWith("/v1/")) return answer()
    // The answer needs no key, but the log of its environment shows it. gaps-1 "Amendments of November 2026"
    fork(
      Effect.onExit(pipeline.ownerOf(authorization, exchange.ip), (exit) =>
        Effect.sync(() => {
          if (exit._tag === "Success") exchange.owner = exit.value
          answer()
        })
      )
    )
  }

  const serving = makeServing({ ...answering, pipeline, running, watch, isRecorded, notFound })
  const begin = makeExchanges({ ids, now, sourceOf, budget, isRecorded })

  const serve = (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean) => {
    if (isClosing(request.socket)) return
    const exchange = begin(request, response, awaitsLeave)
    const { head } = exchange
    const fault = hostFault(head, request.httpVersion)
    if (fault !== undefined) return refuseAndClose(exchange, httpException(400, fault))
    const match = table.match(head.method, head.path)
    if (match === undefined) return notFound(exchange)
    const { route } = match
    exchange.operation = route.operation
    exchange.route = route.path
    if (route.kind === "mount") {
      giveLeave(exchange)
      return route.handler(request, response)
    }
    if (tracing !== undefined) exchange.span = beginRequestSpan(tracing, exchange)
    if (head.contentLength !== undefined && head.contentLength > route.maxBodyBytes) {
      return refuseAndClose(exchange, new PayloadTooLarge())
    }
    return route.kind === "operation" ? serving.operation(exchange, route, match) : serving.raw(exchange, route, match)
  }

  return {
    onRequest: (request, response) => inTurn(request, response, () => serve(request, response, false)),
    onExpectContinue: (request, response) => inTurn(request, response, () => serve(request, response, true)),
    onUnknownExpectation: (request, response) =>
      refuseAndClose(begin(request, response, true), httpException(417, "Only Expect: 100-continue is known.")),
    running: running.fibers,
    closeConnections: () => {
      closing = true
    },
    freshIds: () => {
      const requestId = ids.mint("req", now())
      return { requestId, traceId: traceOf(requestId) }
    },
    load: () => ({ bodyBytes: budget.held, calls: running.counted, awaitedBodies: watch.size }),
    endLateBodies: (at) => watch.look(at)
  } satisfies Listener
})
