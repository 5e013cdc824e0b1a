import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Exit } from "effect"
import { freeBytes } from "../body/BodyBudget.ts"
import type { BodyWatch } from "../body/BodyWatch.ts"
import { incomingBody } from "../body/IncomingBody.ts"
import { readBody } from "../body/ReadBody.ts"
import type { HandlerReply } from "../contract/Entrance.ts"
import type { Operation, RawRoute } from "../contract/Route.ts"
import type { Match } from "../contract/RouteTable.ts"
import type { UnreadRequest } from "../pipeline/Arrival.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import type { Answering } from "./Answering.ts"
import { clientLeft } from "./ClientLeft.ts"
import { type Exchange, giveLeave } from "./Exchange.ts"
import type { RunningCalls } from "./RunningCalls.ts"

/** Parts of the listener that serve matched requests. */
export interface ServingOptions extends Answering {
  readonly pipeline: Pipeline["Service"]
  readonly running: RunningCalls
  readonly watch: BodyWatch
  /** True when a recorder asks for the bodies of requests. */
  readonly isRecorded: boolean
  readonly notFound: (exchange: Exchange) => void
}

/** Serves matched requests: an operation with its body through the pipeline, a raw route by its handler. */
export const makeServing = (options: ServingOptions) => {
  const { finish, isRecorded, notFound, pipeline, refuse, refuseAndClose, running, watch } = options

  const run = (exchange: Exchange, route: Operation | RawRoute, work: () => HandlerReply) =>
    running.isFull(route)
      ? refuse(exchange, crowded())
      : running.attempt(exchange, route, Effect.suspend(work), (exit) => finish(exchange, exit))

  const runOperation = (exchange: Exchange, operation: Operation, params: unknown, bytes: Buffer) => {
    if (isRecorded && operation.body === "json") exchange.body = bytes
    run(exchange, operation, () =>
      pipeline.run({
        head: exchange.head,
        operation,
        params,
        requestId: exchange.requestId,
        traceId: exchange.traceId,
        now: exchange.now,
        realNow: exchange.now,
        ip: exchange.ip,
        admitted: exchange,
        bytes,
        early: exchange.early,
        left: operation.isCounted ? Effect.never : clientLeft(exchange.request.socket),
        incoming: operation.body === "bytes" ? incomingBody({ ...exchange, watch }) : undefined
      })
    )
  }

  /** Admits a request before its large body is read, on whose behalf the body is held. */
  const admitUnread = (exchange: Exchange, unread: UnreadRequest, go: (holder: string | undefined) => void) => {
    running.attempt(exchange, unread.operation, pipeline.admitUnread(unread), (exit) => {
      if (exit._tag === "Failure") {
        go(undefined)
        return finish(exchange, Exit.failCause(exit.cause))
      }
      exchange.early = exit.value
      giveLeave(exchange)
      go(exit.value.holder ?? unread.ip)
    })
  }

  return {
    operation: (exchange: Exchange, operation: Operation, match: Match) => {
      const params = operation.decodeParams === undefined ? match.params : operation.decodeParams(match.params)
      if (params === undefined) return notFound(exchange)
      const { head, ip, now } = exchange
      if (!head.hasBody) return runOperation(exchange, operation, params, empty)
      if (running.isFull(operation)) return refuse(exchange, crowded())
      const unread: UnreadRequest = { head, operation, params, ip, now, admitted: exchange }
      const refusal = pipeline.refuseUnread(unread)
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
        admit: (go) => admitUnread(exchange, unread, go),
        done: (bytes) => runOperation(exchange, operation, params, bytes),
        refuse: (error) => refuseAndClose(exchange, error)
      })
    },

    raw: (exchange: Exchange, route: RawRoute, match: Match) => {
      const { head, ip, now, request, requestId, traceId } = exchange
      if (!running.isFull(route)) giveLeave(exchange)
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
  }
}

const crowded = () => new ServiceUnavailable({ retry_after_ms: 1000 })

const empty = Buffer.alloc(0)
