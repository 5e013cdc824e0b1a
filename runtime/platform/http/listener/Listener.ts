import type { IncomingMessage, ServerResponse } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PayloadTooLarge, RouteNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Clock, type Context, Effect, type Exit, type Fiber } from "effect"
import { Ids } from "../../ids/Ids.ts"
import type { BytesReply, Reply } from "../contract/Reply.ts"
import type { Operation, RawRoute } from "../contract/Route.ts"
import { type Match, RouteTable } from "../contract/RouteTable.ts"
import { httpException } from "../decoding/HttpException.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { type RequestHead, readHead } from "../pipeline/RequestHead.ts"
import { incomingBody, readBody } from "./Body.ts"
import type { ClientAddress } from "./ClientAddress.ts"
import { errorReply, logFault, type RequestIds, readRefusal } from "./Envelope.ts"
import { holdPipelined, releasePipelined } from "./Pipelined.ts"
import { RequestObserver } from "./RequestObserver.ts"
import { isClosing, respond, respondAndClose } from "./Respond.ts"

/** The request listener and what its server needs to stop. */
export interface Listener {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** A request that waits for leave to send its body. */
  readonly onExpectContinue: (request: IncomingMessage, response: ServerResponse) => void
  readonly onUnknownExpectation: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests being worked on. */
  readonly running: ReadonlySet<Fiber.Fiber<Reply | BytesReply, ApiError>>
  /** From now on every answer closes its connection. */
  readonly closeConnections: () => void
  /** Fresh ids for answers that no request object exists for. */
  readonly freshIds: () => RequestIds
}

/**
 * Builds the listener: match, declared size, body, pipeline, answer. It works on node's objects and runs one fiber per
 * request in the context of its route: no per-request layer, service lookup or response object stands in between.
 */
export const makeListener = Effect.fnUntraced(function* (sourceOf: ClientAddress) {
  const table = yield* RouteTable
  const pipeline = yield* Pipeline
  const ids = yield* Ids
  const observer = yield* RequestObserver
  const clock = yield* Clock.Clock
  const services = yield* Effect.context<never>()
  const fork = Effect.runForkWith(services)
  const running = new Set<Fiber.Fiber<Reply | BytesReply, ApiError>>()
  let closing = false

  const observe = (exchange: Exchange, reply: Reply | BytesReply) =>
    observer?.({
      operation: exchange.operation,
      method: exchange.head.method,
      route: exchange.route,
      keyId: exchange.keyId,
      status: reply.status,
      requestId: exchange.requestId,
      traceId: exchange.traceId,
      millis: clock.currentTimeMillisUnsafe() - exchange.now
    })

  const answer = (exchange: Exchange, reply: Reply | BytesReply) => {
    respond(exchange.response, exchange, reply, closing)
    observe(exchange, reply)
  }

  const refuse = (exchange: Exchange, error: ApiError) =>
    answer(exchange, errorReply(error, exchange, exchange.head.path))

  const refuseUnread = (exchange: Exchange, error: ApiError) => {
    const reply = errorReply(error, exchange, exchange.head.path)
    respondAndClose(exchange.request, exchange.response, exchange, reply)
    observe(exchange, reply)
  }

  const finish = (exchange: Exchange, exit: Exit.Exit<Reply | BytesReply, ApiError>) => {
    if (exit._tag === "Success") return answer(exchange, exit.value)
    const refusal = readRefusal(exit.cause)
    if (refusal._tag === "internal_error") fork(logFault(exit.cause, exchange, exchange.operation))
    // A body left unread (bytes too many) must not hold the connection.
    if (refusal._tag === "payload_too_large" && !exchange.request.complete) return refuseUnread(exchange, refusal)
    refuse(exchange, refusal)
  }

  const run = (
    exchange: Exchange,
    context: Context.Context<never>,
    work: Effect.Effect<Reply | BytesReply, ApiError>
  ) => {
    const fiber = Effect.runForkWith(context)(work)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return finish(exchange, exit)
    running.add(fiber)
    fiber.addObserver((exit) => {
      running.delete(fiber)
      finish(exchange, exit)
    })
    // A read nobody waits for is stopped; a write is finished, so that its idempotency record can answer the retry.
    if (exchange.head.method === "GET") {
      exchange.response.on("close", () => {
        if (!exchange.response.writableEnded) fiber.interruptUnsafe()
      })
    }
  }

  const runOperation = (exchange: Exchange, operation: Operation, params: unknown, bytes: Buffer) =>
    run(
      exchange,
      operation.context,
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
        incoming: operation.body === "bytes" ? incomingBody(exchange.request, exchange.head) : undefined
      })
    )

  const serveOperation = (exchange: Exchange, operation: Operation, match: Match) => {
    const params = operation.decodeParams === undefined ? match.params : operation.decodeParams(match.params)
    if (params === undefined) return notFound(exchange)
    if (!exchange.head.hasBody || operation.body === "bytes") return runOperation(exchange, operation, params, empty)
    readBody(
      exchange.request,
      operation.maxBodyBytes,
      (bytes) => runOperation(exchange, operation, params, bytes),
      () => refuseUnread(exchange, new PayloadTooLarge())
    )
  }

  const serveRaw = (exchange: Exchange, route: RawRoute, match: Match) =>
    run(
      exchange,
      route.context,
      Effect.suspend(() =>
        route.handler({
          method: exchange.head.method,
          path: exchange.head.path,
          search: exchange.head.search,
          params: match.params,
          headers: exchange.request.headers,
          body: incomingBody(exchange.request, exchange.head),
          requestId: exchange.requestId,
          traceId: exchange.traceId,
          now: exchange.now,
          ip: exchange.ip
        })
      )
    )

  const notFound = (exchange: Exchange) => {
    const { method, path } = exchange.head
    const error = new RouteNotFound({ message: `No route matches ${method} ${path}.`.slice(0, 256) })
    return leavesMuchUnread(exchange.head) ? refuseUnread(exchange, error) : refuse(exchange, error)
  }

  const begin = (request: IncomingMessage, response: ServerResponse): Exchange => {
    const head = readHead(request)
    const now = clock.currentTimeMillisUnsafe()
    return {
      request,
      response,
      head,
      now,
      requestId: ids.mint("req", now),
      traceId: head.traceId ?? ids.traceId(),
      ip: sourceOf(request.socket.remoteAddress, head.forwardedFor),
      operation: "unmatched",
      route: "-",
      keyId: undefined
    }
  }

  const serve = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    if (isClosing(request.socket)) return
    const exchange = begin(request, response)
    const { head } = exchange
    if (head.hosts > 1 || (head.hosts === 0 && request.httpVersion === "1.1")) {
      const found = head.hosts === 0 ? "no Host header" : "more than one Host header"
      return refuseUnread(exchange, httpException(400, `The request has ${found}.`))
    }
    const match = table.match(head.method, head.path)
    if (match === undefined) return notFound(exchange)
    const { route } = match
    exchange.operation = route.operation
    exchange.route = route.path
    if (route.kind === "mount") {
      if (awaitsContinue) response.writeContinue()
      return route.handler(request, response)
    }
    if (head.contentLength !== undefined && head.contentLength > route.maxBodyBytes) {
      return refuseUnread(exchange, new PayloadTooLarge())
    }
    if (awaitsContinue) response.writeContinue()
    return route.kind === "operation" ? serveOperation(exchange, route, match) : serveRaw(exchange, route, match)
  }

  // What is pipelined is worked on one after another, other connections in between.
  const inTurn = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    if (response.socket !== null) return serve(request, response, awaitsContinue)
    holdPipelined(request.socket)
    response.once("socket", () =>
      setImmediate(() => {
        releasePipelined(request.socket)
        serve(request, response, awaitsContinue)
      })
    )
  }

  return {
    onRequest: (request, response) => inTurn(request, response, false),
    onExpectContinue: (request, response) => inTurn(request, response, true),
    onUnknownExpectation: (request, response) =>
      refuseUnread(begin(request, response), httpException(417, "Only Expect: 100-continue is known.")),
    running,
    closeConnections: () => {
      closing = true
    },
    freshIds: () => ({ requestId: ids.mint("req", clock.currentTimeMillisUnsafe()), traceId: ids.traceId() })
  } satisfies Listener
})

interface Exchange extends RequestIds {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  readonly now: number
  readonly ip: string
  operation: string
  route: string
  /** Told by the pipeline once the caller is known. */
  keyId: string | undefined
}

// Node reads and drops a small rest, which keeps the connection; a large one is not worth it.
const leavesMuchUnread = (head: RequestHead): boolean =>
  head.hasBody && (head.contentLength === undefined || head.contentLength > 65_536)

const empty = Buffer.alloc(0)
