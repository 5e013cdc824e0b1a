import type { IncomingMessage, ServerResponse } from "node:http"
import type { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { traceOf } from "@carteiro/owners/Ulid.ts"
import type { Tracer } from "effect"
import type { KeyOwner } from "../admission/Admission.ts"
import { type BodyBudget, HeldBytes } from "../body/BodyBudget.ts"
import type { EarlyAdmission } from "../pipeline/Arrival.ts"
import { type RequestHead, readHead } from "../pipeline/RequestHead.ts"
import type { ClientAddress } from "./ClientAddress.ts"
import type { RequestIds } from "./Envelope.ts"

/** One request and its response, on the way through the listener. */
export interface Exchange extends RequestIds {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  readonly now: RealInstant
  readonly ip: string
  readonly held: HeldBytes
  /** True when the caller sends its body only after a 100 Continue. */
  awaitsLeave: boolean
  operation: string
  route: string
  early: EarlyAdmission | undefined
  /** Set by the pipeline once the caller is known. */
  keyId: string | undefined
  environmentId: string | undefined
  region: string | undefined
  /** The owner of the key, for a request whose key is known. */
  owner: KeyOwner | undefined
  /** The JSON body as read; undefined while no recorder asks for it. */
  body: Uint8Array | undefined
  readonly onOwner: ((owner: KeyOwner) => void) | undefined
  /** The seconds by which the caller's sandbox is ahead of real time; undefined when it is not. */
  leadSeconds?: number | undefined
  /** The span of a request whose trace is sampled. */
  span: Tracer.Span | undefined
  /** Runs a function once the response was sent or its connection is gone. */
  readonly onSent: (done: () => void) => void
}

/** Parts of the listener by which exchanges begin. */
export interface ExchangeOptions {
  readonly ids: Ids["Service"]
  readonly now: () => number
  readonly sourceOf: ClientAddress
  readonly budget: BodyBudget
  /** True when a recorder asks for the owner and the body of requests. */
  readonly isRecorded: boolean
}

/** Returns the function that reads the head of a request and begins its exchange. */
export const makeExchanges =
  ({ budget, ids, isRecorded, now: clock, sourceOf }: ExchangeOptions) =>
  (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean): Exchange => {
    const head = readHead(request)
    const now = clock() as RealInstant
    const requestId = ids.mint("req", now)
    const exchange: Exchange = {
      request,
      response,
      head,
      now,
      requestId,
      traceId: head.traceId ?? traceOf(requestId),
      ip: sourceOf(request.socket.remoteAddress, head.forwardedFor),
      held: new HeldBytes(budget),
      awaitsLeave,
      operation: "unmatched",
      route: "-",
      early: undefined,
      keyId: undefined,
      environmentId: undefined,
      region: undefined,
      owner: undefined,
      body: undefined,
      onOwner: isRecorded
        ? (owner) => {
            exchange.owner = owner
          }
        : undefined,
      span: undefined,
      onSent: (done) => {
        if (response.closed) done()
        else response.once("close", done)
      }
    }
    return exchange
  }

/** Sends 100 Continue to a caller that waits for it. */
export const giveLeave = (exchange: Exchange): void => {
  if (!exchange.awaitsLeave) return
  exchange.awaitsLeave = false
  exchange.response.writeContinue()
}
