import type { Readable } from "node:stream"
import { inTurns } from "@carteiro/owners/Slices.ts"
import { Effect } from "effect"
import { stringifyInSlices } from "../json/WriteJson.ts"

/** A finished response: `body` is JSON text, ready to be stored for replays and sent byte for byte. A-IDEM-04 */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: ResponseHeaders
}

/** A response that is not JSON; `content-type` belongs in its headers. */
export interface BytesReply {
  readonly status: number
  readonly body: Uint8Array | Readable
  readonly headers: ResponseHeaders
}

/** Header names in lower case; they replace standard headers of equal name. */
export type ResponseHeaders = { readonly [name: string]: string }

/**
 * Returns `value` as a response with a top-level `trace_id`, unless the value holds a stored one. A-CONV-22, gaps-1 A
 * "Trace id"
 */
export const reply = (request: { readonly traceId: string }, status: number, value: object): Reply => ({
  status,
  body: JSON.stringify("trace_id" in value ? value : { ...value, trace_id: request.traceId })
})

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
export const rawReply = (status: number, bodyText: string, headers?: ResponseHeaders): Reply =>
  headers === undefined ? { status, body: bodyText } : { status, body: bodyText, headers }

/** The header with the seconds by which a sandbox with a turned clock is ahead of real time. */
export const clockHeader = "svc-clock"

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
