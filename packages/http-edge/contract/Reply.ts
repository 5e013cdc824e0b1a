import type { Readable } from "node:stream"
import { inTurns } from "@carteiro/owners/Slices.ts"
import type { RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { madeJson, readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { stringifyInSlices } from "../json/WriteJson.ts"

const value: unique symbol = Symbol("@carteiro/http-edge/contract/Reply/value")

/**
 * A finished response: `body` is the JSON text of an `A`, ready to be stored for replays and sent byte for byte.
 * A-IDEM-04
 */
export interface Reply<A = unknown> {
  readonly status: number
  readonly body: string
  readonly headers?: ResponseHeaders
  /** The value of the text, if it is still known: a caller within the process reads it without writing the text first. */
  readonly [value]?: A
}

/** The reply of an operation, or its refusal. */
export type OperationReply<A = unknown> = Effect.Effect<Reply<A>, ApiError>

/** A response that is not JSON; `content-type` belongs in its headers. */
export interface BytesReply {
  readonly status: number
  readonly body: Uint8Array | Readable
  readonly headers: ResponseHeaders
  /** True for a body without an end, which ends once its reader has closed the sending half of the connection. */
  readonly isEndless?: boolean
}

/** Header names in lower case; they replace standard headers of equal name. */
export type ResponseHeaders = { readonly [name: string]: string }

/** The member that every response has beside its own. */
interface Traced {
  readonly trace_id: string
}

/** Returns the value of a response of the product, for a caller within it. */
export const readReply = <A>(answer: Reply<A>): A & Traced =>
  (answer[value] as (A & Traced) | undefined) ?? readJson(madeJson<A & Traced>(answer.body))

/**
 * Returns a value that nothing changes any more as a response. Its text is written once it is read: a caller within the
 * process reads the value alone.
 */
export const replyOf = <A>(status: number, of: A): Reply<A> => {
  let text: string | undefined
  return {
    status,
    get body() {
      text ??= JSON.stringify(of)
      return text
    },
    [value]: of
  }
}

/**
 * Returns what an answer holds as a response with a top-level `trace_id`, unless it has a stored one. A-CONV-22, gaps-1 A
 * "Trace id"
 */
export const reply = <const A extends object>(
  request: { readonly traceId: string },
  status: number,
  holds: A
): Reply<A & Traced> => {
  const of = tracedBy(request, holds)
  return { status, body: JSON.stringify(of), [value]: of }
}

/**
 * Returns such a response of what nothing changes any more, as `replyOf` does: of rows that an operation of people read, whose
 * callers are within the process.
 */
export const valueReply = <const A extends object>(
  request: { readonly traceId: string },
  status: number,
  holds: A
): Reply<A & Traced> => replyOf(status, tracedBy(request, holds))

const tracedBy = <A extends object>(request: { readonly traceId: string }, holds: A): A & Traced =>
  ("trace_id" in holds ? holds : { ...holds, trace_id: request.traceId }) as A & Traced

/** Returns a response that may be long, rendered part by part in the turns of `holder`. */
export const replyInTurns = (
  holder: string,
  request: { readonly traceId: string },
  status: number,
  value: object
): Effect.Effect<Reply> =>
  Effect.map(inTurns(holder, stringifyInSlices({ ...value, trace_id: request.traceId })), (body) => ({
    status,
    body
  }))

/** Returns a response from existing JSON text, such as a replay. */
export const rawReply = <A = unknown>(status: number, bodyText: string, headers?: ResponseHeaders): Reply<A> =>
  headers === undefined ? { status, body: bodyText } : { status, body: bodyText, headers }

/** The header with the seconds by which a sandbox with a turned clock is ahead of real time. */
export const clockHeader = "svc-clock"

/** The header of a stored response that is given again. gaps-1 B "Replay marker" */
export const replayHeader = "svc-idempotent-replayed"

/** Returns whether a response is a stored one that is given again. */
export const isReplay = ({ headers }: Reply | BytesReply): boolean => headers?.[replayHeader] !== undefined

/** The header that tells of something odd in an accepted request. gaps-2 A "Phones outside `recipient.id`" */
export const warningHeader = "svc-warning"

/** Returns the response with one more header. */
export const withHeader = <R extends Reply | BytesReply>(answer: R, name: string, value: string): R => ({
  ...answer,
  headers: { ...answer.headers, [name]: value }
})

/** Returns an HTML page. */
export const htmlReply = (status: number, html: string, headers?: ResponseHeaders): Reply => ({
  status,
  body: html,
  headers: { ...headers, "content-type": "text/html; charset=utf-8" }
})

/** Returns the response with the header that tells of something odd in the request; unchanged without a warning. */
export const withWarning = <R extends Reply | BytesReply>(answer: R, warning: RequestWarning | undefined): R =>
  warning === undefined ? answer : withHeader(answer, warningHeader, warning)
