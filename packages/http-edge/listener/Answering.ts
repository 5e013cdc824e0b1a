import type { IncomingMessage } from "node:http"
import type { Tracing } from "@carteiro/owners/Tracing.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Exit } from "effect"
import type { BodyPace, BodyWatch } from "../body/BodyWatch.ts"
import { type BytesReply, clockHeader, isReplay, type Reply, warningHeader, withHeader } from "../contract/Reply.ts"
import { errorReply, readRefusal } from "./Envelope.ts"
import type { Exchange } from "./Exchange.ts"
import type { FinishedRequest, ObservedRequest } from "./RequestObserver.ts"
import { endRequestSpan } from "./RequestSpan.ts"
import { respond, respondAndClose } from "./Respond.ts"

/** Parts of the listener that answering needs. */
export interface AnsweringOptions {
  readonly watch: BodyWatch
  readonly observer: ((request: ObservedRequest) => void) | undefined
  readonly recorder: ((request: FinishedRequest) => void) | undefined
  readonly now: () => number
  readonly tracing: Tracing | undefined
  readonly publicUrl: () => string
  /** True when the server is stopping, so that every response closes its connection. */
  readonly isClosing: () => boolean
  /** Logs a fault of this service. */
  readonly onFault: (exchange: Exchange, exit: Exit.Failure<unknown, ApiError>) => void
}

/** The three ways in which an exchange ends. */
export interface Answering {
  readonly refuse: (exchange: Exchange, error: ApiError, headers?: Readonly<Record<string, string>>) => void
  /** Answers without reading any more from the connection. */
  readonly refuseAndClose: (exchange: Exchange, error: ApiError) => void
  readonly finish: (exchange: Exchange, exit: Exit.Exit<Reply | BytesReply, ApiError>) => void
}

/** Writes the answers of exchanges, each once. */
export const makeAnswering = (options: AnsweringOptions): Answering => {
  const { isClosing, now, observer, onFault, publicUrl, recorder, tracing, watch } = options
  const observe = (exchange: Exchange, reply: Reply | BytesReply) => {
    const { status } = reply
    if (tracing !== undefined && exchange.span !== undefined) endRequestSpan(tracing, exchange, exchange.span, status)
    const { body, owner } = exchange
    const observed = {
      operation: exchange.operation,
      method: exchange.head.method,
      route: exchange.route,
      keyId: exchange.keyId,
      status,
      requestId: exchange.requestId,
      traceId: exchange.traceId,
      millis: now() - exchange.now
    }
    observer?.(observed)
    if (recorder === undefined || owner === undefined) return
    recorder({
      ...observed,
      owner,
      arrivedAt: exchange.now,
      path: exchange.head.path,
      search: exchange.head.search,
      ip: exchange.ip,
      idempotencyKeys: exchange.head.idempotencyKeys,
      isReplayed: isReplay(reply),
      warning: reply.headers?.[warningHeader],
      region: exchange.region,
      body,
      answer: typeof reply.body === "string" ? reply.body : undefined
    })
  }

  const answer = (exchange: Exchange, plain: Reply | BytesReply) => {
    const { leadSeconds } = exchange
    const reply = leadSeconds === undefined ? plain : withHeader(plain, clockHeader, String(leadSeconds))
    exchange.held.release()
    const { body } = reply
    if (isLeftUnread(exchange) && typeof body === "string") {
      respondAndClose(exchange.request, exchange.response, exchange, { ...reply, body })
    } else {
      respond(exchange.response, exchange, reply, isClosing())
      if (exchange.head.hasBody && !exchange.request.complete) awaitRest(watch, exchange.request)
    }
    observe(exchange, reply)
  }

  const refuse: Answering["refuse"] = (exchange, error, headers = {}) => {
    const reply = errorReply(error, exchange, exchange.head.path, publicUrl())
    answer(exchange, { ...reply, headers: { ...reply.headers, ...headers } })
  }

  return {
    refuse,
    refuseAndClose: (exchange, error) => {
      exchange.held.release()
      const reply = errorReply(error, exchange, exchange.head.path, publicUrl())
      respondAndClose(exchange.request, exchange.response, exchange, reply)
      observe(exchange, reply)
    },
    finish: (exchange, exit) => {
      if (exit._tag === "Success") return answer(exchange, exit.value)
      const refusal = readRefusal(exit.cause)
      if (refusal._tag === "internal_error") onFault(exchange, exit)
      refuse(exchange, refusal)
    }
  }
}

/**
 * True when the rest of a body is not worth reading to keep the connection: it is large, its reading was broken off, or
 * it was not sent yet. Node reads and drops small rests.
 */
const isLeftUnread = ({ awaitsLeave, head, request }: Exchange): boolean =>
  head.hasBody &&
  !request.complete &&
  (awaitsLeave ||
    request.readableFlowing === false ||
    head.contentLength === undefined ||
    head.contentLength > mostDropped)

const mostDropped = 65_536

/** The rest of an answered request's body must come soon, because only it keeps the connection busy. */
const restPace: BodyPace = { totalMillis: 30_000, leastBytes: 0 }

const awaitRest = (watch: BodyWatch, request: IncomingMessage): void => {
  const rest = watch.begin(restPace, () => request.destroy())
  request.once("close", () => watch.end(rest))
}
