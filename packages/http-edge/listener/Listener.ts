import type { IncomingMessage, ServerResponse } from "node:http"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Tracing } from "@carteiro/owners/Tracing.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PayloadTooLarge, RouteNotFound, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Clock, Effect, Exit, type Fiber } from "effect"
import { BodyBudget, freeBytes, HeldBytes } from "../body/BodyBudget.ts"
import { BodyWatch } from "../body/BodyWatch.ts"
import { incomingBody } from "../body/IncomingBody.ts"
import { readBody } from "../body/ReadBody.ts"
import type { Answer } from "../contract/Entrance.ts"
import type { Operation, RawRoute } from "../contract/Route.ts"
import { type Match, RouteTable } from "../contract/RouteTable.ts"
import { httpException } from "../decoding/HttpException.ts"
import type { UnreadRequest } from "../pipeline/Arrival.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { readHead } from "../pipeline/RequestHead.ts"
import { type Exchange, makeAnswering } from "./Answering.ts"
import type { ClientAddress } from "./ClientAddress.ts"
import { clientLeft } from "./ClientLeft.ts"
import { logFault, type RequestIds } from "./Envelope.ts"
import { holdPipelined, releasePipelined } from "./Pipelined.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { RequestObserver, RequestRecorder } from "./RequestObserver.ts"
import { beginRequestSpan, beneathSpan } from "./RequestSpan.ts"
import { isClosing } from "./Respond.ts"

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
  const pipeline = yield* Pipeline
  const ids = yield* Ids
  const recorder = yield* RequestRecorder
  const clock = yield* Clock.Clock
  const tracing = yield* Tracing
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const budget = new BodyBudget(limits.bodyBytes)
  const watch = new BodyWatch()
  const running = new Set<Fiber.Fiber<unknown, unknown>>()
  /** Running requests that do not count, such as long polls. */
  let uncounted = 0
  let closing = false

  const { finish, refuse, refuseAndClose } = makeAnswering({
    watch,
    observer: yield* RequestObserver,
    recorder,
    tracing,
    publicUrl: yield* PublicUrl,
    now: () => clock.currentTimeMillisUnsafe(),
    isClosing: () => closing,
    onFault: (exchange, { cause }) => fork(logFault(cause, exchange, exchange.operation))
  })

  const isFull = ({ isCounted }: Operation | RawRoute): boolean => isCounted && running.size - uncounted >= limits.calls

  /** Runs an effect of a route; a read whose caller is gone is interrupted. */
  const attempt = <A>(
    exchange: Exchange,
    route: Operation | RawRoute,
    work: Effect.Effect<A, ApiError>,
    done: (exit: Exit.Exit<A, ApiError>) => void
  ) => {
    const fiber = Effect.runForkWith(beneathSpan(route.context, exchange.span))(work)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return done(exit)
    running.add(fiber)
    if (!route.isCounted) uncounted++
    fiber.addObserver((exit) => {
      running.delete(fiber)
      if (!route.isCounted) uncounted--
      done(exit)
    })
    // A read without a caller is stopped. A write is finished, so that its idempotency record can answer the retry.
    if (exchange.head.method === "GET") {
      exchange.response.on("close", () => {
        if (!exchange.response.writableEnded) fiber.interruptUnsafe()
      })
    }
  }

  const run = (exchange: Exchange, route: Operation | RawRoute, work: () => Answer) =>
    isFull(route)
      ? refuse(exchange, crowded())
      : attempt(exchange, route, Effect.suspend(work), (exit) => finish(exchange, exit))

  const runOperation = (exchange: Exchange, operation: Operation, params: unknown, bytes: Buffer) => {
    if (recorder !== undefined && operation.body === "json") exchange.body = bytes
    run(exchange, operation, () =>
      pipeline.run({
        head: exchange.head,
        operation,
        params,
        requestId: exchange.requestId,
        traceId: exchange.traceId,
        now: exchange.now,
        ip: exchange.ip,
        admitted: exchange,
        bytes,
        early: exchange.early,
        left: operation.isCounted ? Effect.never : clientLeft(exchange.request.socket),
        incoming: operation.body === "bytes" ? incomingBody({ ...exchange, watch }) : undefined
      })
    )
  }

  const serveOperation = (exchange: Exchange, operation: Operation, match: Match) => {
    const params = operation.decodeParams === undefined ? match.params : operation.decodeParams(match.params)
    if (params === undefined) return notFound(exchange)
    const { head, ip, now } = exchange
    if (!head.hasBody) return runOperation(exchange, operation, params, empty)
    if (isFull(operation)) return refuse(exchange, crowded())
    const refusal = pipeline.refuseUnread({ head, operation, params, ip, now, admitted: exchange })
    if (refusal !== undefined) return refuse(exchange, refusal)
    if (operation.body === "bytes") {
      giveLeave(exchange)
      return runOperation(exchange, operation, params, empty)
    }
    const isLarge = head.contentLength !== undefined && head.contentLength > freeBytes
    if (!isLarge || operation.body === "none") giveLeave(exchange)
    readBody(exchange.request, {
      limit: operation.maxBodyBytes,
      length: head.contentLength,
      isDropped: operation.body === "none",
      watch,
      held: exchange.held,
      admit: (go) => admitUnread(exchange, { head, operation, params, ip, now, admitted: exchange }, go),
      done: (bytes) => runOperation(exchange, operation, params, bytes),
      refuse: (error) => refuseAndClose(exchange, error)
    })
  }

  const admitUnread = (exchange: Exchange, unread: UnreadRequest, go: (holder: string | undefined) => void) => {
    attempt(exchange, unread.operation, pipeline.admitUnread(unread), (exit) => {
      if (exit._tag === "Failure") {
        go(undefined)
        return finish(exchange, Exit.failCause(exit.cause))
      }
      exchange.early = exit.value
      giveLeave(exchange)
      go(exit.value.holder ?? unread.ip)
    })
  }

  const serveRaw = (exchange: Exchange, route: RawRoute, match: Match) => {
    const { head, ip, now, request, requestId, traceId } = exchange
    if (!isFull(route)) giveLeave(exchange)
    run(exchange, route, () =>
      route.handler({
        method: head.method,
        path: head.path,
        search: head.search,
        params: match.params,
        headers: request.headers,
        authorization: head.authorization,
        body: incomingBody({ ...exchange, watch }),
        requestId,
        traceId,
        now,
        ip
      })
    )
  }

  const notFound = (exchange: Exchange) => {
    const { method, path } = exchange.head
    refuse(exchange, new RouteNotFound({ message: table.explainMiss(method, path) }))
  }

  const begin = (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean): Exchange => {
    const head = readHead(request)
    const now = clock.currentTimeMillisUnsafe()
    const exchange: Exchange = {
      request,
      response,
      head,
      now,
      requestId: ids.mint("req", now),
      traceId: head.traceId ?? ids.traceId(),
      ip: sourceOf(request.socket.remoteAddress, head.forwardedFor),
      held: new HeldBytes(budget),
      awaitsLeave,
      operation: "unmatched",
      route: "-",
      early: undefined,
      keyId: undefined,
      environmentId: undefined,
      owner: undefined,
      body: undefined,
      onOwner:
        recorder &&
        ((owner) => {
          exchange.owner = owner
        }),
      span: undefined,
      onSent: (done) => {
        if (response.closed) done()
        else response.once("close", done)
      }
    }
    return exchange
  }

  const serve = (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean) => {
    if (isClosing(request.socket)) return
    const exchange = begin(request, response, awaitsLeave)
    const { head } = exchange
    if (head.hosts > 1 || (head.hosts === 0 && request.httpVersion === "1.1")) {
      const found = head.hosts === 0 ? "no Host header" : "more than one Host header"
      return refuseAndClose(exchange, httpException(400, `The request has ${found}.`))
    }
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
    return route.kind === "operation" ? serveOperation(exchange, route, match) : serveRaw(exchange, route, match)
  }

  // Pipelined requests are answered one after another, with other connections in between.
  const inTurn = (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean) => {
    if (response.socket !== null) return serve(request, response, awaitsLeave)
    holdPipelined(request.socket)
    response.once("socket", () =>
      setImmediate(() => {
        releasePipelined(request.socket)
        serve(request, response, awaitsLeave)
      })
    )
  }

  return {
    onRequest: (request, response) => inTurn(request, response, false),
    onExpectContinue: (request, response) => inTurn(request, response, true),
    onUnknownExpectation: (request, response) =>
      refuseAndClose(begin(request, response, true), httpException(417, "Only Expect: 100-continue is known.")),
    running,
    closeConnections: () => {
      closing = true
    },
    freshIds: () => ({ requestId: ids.mint("req", clock.currentTimeMillisUnsafe()), traceId: ids.traceId() }),
    load: () => ({ bodyBytes: budget.held, calls: running.size - uncounted, awaitedBodies: watch.size }),
    endLateBodies: (now) => watch.look(now)
  } satisfies Listener
})

/** Sends 100 Continue to a caller that waits for it. */
const giveLeave = (exchange: Exchange): void => {
  if (!exchange.awaitsLeave) return
  exchange.awaitsLeave = false
  exchange.response.writeContinue()
}

const crowded = () => new ServiceUnavailable({ retry_after_ms: 1000 })

const empty = Buffer.alloc(0)
