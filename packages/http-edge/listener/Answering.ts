import type { IncomingMessage, ServerResponse } from "node:http"
import type { Tracing } from "@carteiro/owners/Tracing.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Exit, Tracer } from "effect"
import type { KeyOwner } from "../admission/Admission.ts"
import type { HeldBytes } from "../body/BodyBudget.ts"
import type { BodyPace, BodyWatch } from "../body/BodyWatch.ts"
import { type BytesReply, clockHeader, type Reply, withHeader } from "../contract/Reply.ts"
import type { EarlyAdmission } from "../pipeline/Arrival.ts"
import type { RequestHead } from "../pipeline/RequestHead.ts"
import { errorReply, type RequestIds, readRefusal } from "./Envelope.ts"
import type { FinishedRequest, ObservedRequest } from "./RequestObserver.ts"
import { endRequestSpan } from "./RequestSpan.ts"
import { respond, respondAndClose } from "./Respond.ts"

/** One request and its answer, on the way through the listener. */
export interface Exchange extends RequestIds {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  readonly now: number
  readonly ip: string
  readonly held: HeldBytes
  /** The caller sends its body only when told to. */
  awaitsLeave: boolean
  operation: string
  route: string
  early: EarlyAdmission | undefined
  /** Told by the pipeline once the caller is known. */
  keyId: string | undefined
  environmentId: string | undefined
  /** Where the key leads, of a request whose key is known. */
  owner: KeyOwner | undefined
  /** The JSON body as read; undefined while no recorder asks for it. */
  body: Uint8Array | undefined
  readonly onOwner: ((owner: KeyOwner) => void) | undefined
  /** By how many seconds the caller's sandbox is ahead of real time; undefined while it is not. */
  leadSeconds?: number | undefined
  /** The span of a request whose trace is sampled. */
  span: Tracer.Span | undefined
  /** Does something once the answer was sent, or nobody takes it any more. */
  readonly onSent: (done: () => void) => void
}

/** Parts of the listener that answering needs. */
export interface AnsweringOptions {
  readonly watch: BodyWatch
  readonly observer: ((request: ObservedRequest) => void) | undefined
  readonly recorder: ((request: FinishedRequest) => void) | undefined
  readonly now: () => number
  readonly tracing: Tracing | undefined
  readonly publicUrl: () => string
  /** Whether the server is stopping, so that every answer closes its connection. */
  readonly isClosing: () => boolean
  /** Logs a fault of ours. */
  readonly onFault: (exchange: Exchange, exit: Exit.Failure<unknown, ApiError>) => void
}

/** Writes the answers of exchanges, each once. */
export const makeAnswering = (options: AnsweringOptions) => {
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
      isReplayed: reply.headers?.["svc-idempotent-replayed"] !== undefined,
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

  const refuse = (exchange: Exchange, error: ApiError) =>
    answer(exchange, errorReply(error, exchange, exchange.head.path, publicUrl()))

  return {
    refuse,
    /** Answers without reading anything more from the connection. */
    refuseAndClose: (exchange: Exchange, error: ApiError) => {
      exchange.held.release()
      const reply = errorReply(error, exchange, exchange.head.path, publicUrl())
      respondAndClose(exchange.request, exchange.response, exchange, reply)
      observe(exchange, reply)
    },
    finish: (exchange: Exchange, exit: Exit.Exit<Reply | BytesReply, ApiError>) => {
      if (exit._tag === "Success") return answer(exchange, exit.value)
      const refusal = readRefusal(exit.cause)
      if (refusal._tag === "internal_error") onFault(exchange, exit)
      refuse(exchange, refusal)
    }
  }
}

/**
 * Whether the rest of a body is not worth reading for the sake of the connection: it is large, its reading was broken off, or
 * it is not even sent yet. Node reads and drops what is small.
 */
const isLeftUnread = ({ awaitsLeave, head, request }: Exchange): boolean =>
  head.hasBody &&
  !request.complete &&
  (awaitsLeave ||
    request.readableFlowing === false ||
    head.contentLength === undefined ||
    head.contentLength > mostDropped)

const mostDropped = 65_536

/** The rest of a body whose request was answered must come soon: it holds a connection and nothing else. */
const restPace: BodyPace = { totalMillis: 30_000, leastBytes: 0 }

const awaitRest = (watch: BodyWatch, request: IncomingMessage): void => {
  const rest = watch.begin(restPace, () => request.destroy())
  request.once("close", () => watch.end(rest))
}
