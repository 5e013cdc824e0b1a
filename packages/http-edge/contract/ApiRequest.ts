import type { IncomingHttpHeaders } from "node:http"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Effect, Stream } from "effect"
import type { Caller, PresentedKey } from "../admission/Admission.ts"

/** A request as a handler of the contract receives it: decoded, admitted, past the idempotency step. */
export interface ApiRequest<Params, Query, Body> {
  /** Of a route without a key the ids are empty and match no row. */
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The result of the check of `Routes.checked`. */
  readonly checked?: unknown
  readonly requestId: string
  readonly traceId: string
  /** The instant of arrival, in milliseconds since the epoch; also the instant of every id minted for this request. */
  readonly now: number
  /** Present when the caller sent a key on an operation that honors it: the commit completes it. A-IDEM-04 */
  readonly claim?: Claim
  /** The key as sent, on an operation that looks it up itself (`idempotencyInHandler`). */
  readonly idempotencyKey?: PresentedKey
  /** The source address after trusted proxies. gaps-1 M */
  readonly ip: string
  /** Completes when the client of a long poll has shut its sending half: it has left, or takes what there is by now. */
  readonly left: Effect.Effect<void>
  /** The Range header, for answers that may be asked for in part. */
  readonly range: string | undefined
  /** `<group>.<endpoint>`, equal to the operationId of /openapi.json. */
  readonly operation: string
}

/** A request whose caller is not known: what the pipeline makes before it asks the entrance of the operation. */
export type UncalledRequest = Omit<ApiRequest<unknown, unknown, unknown>, "caller">

/** The credentials of a request that authenticates itself otherwise than by an API key. */
export interface Credentials {
  readonly params: { readonly [name: string]: string }
  /** Every Authorization header. */
  readonly authorization: ReadonlyArray<string>
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  readonly now: number
}

/** A body the pipeline leaves unread: capability URLs, forms, vendor webhooks. Read it once. */
export interface IncomingBody {
  readonly contentType: string | undefined
  /** The declared length in bytes. */
  readonly contentLength: number | undefined
  /**
   * Everything, held in memory and counted against the node's budget until the request is answered: 413 as soon as it
   * passes `limit` bytes, 503 when the budget is spent, 408 when it does not come. A-LIM-03
   */
  readonly bytes: (limit: number) => Effect.Effect<Uint8Array, ApiError>
  /** Piece by piece, for bodies that are handed on and not held: 413 beyond the limit, 408 below the pace. */
  readonly stream: (limits: StreamLimits) => Stream.Stream<Uint8Array, ApiError>
}

/** Bounds of a body that is handed on while it arrives. */
export interface StreamLimits {
  /** Bytes at most. */
  readonly limit: number
  /** Milliseconds from its beginning to its end. */
  readonly totalMillis: number
  /** Bytes that must come in every twenty seconds. */
  readonly leastBytes: number
}

/** A request as a raw route receives it: nothing is decoded, authenticated or admitted. */
export interface RawRequest {
  readonly method: string
  /** As received, percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  readonly params: { readonly [name: string]: string }
  readonly headers: IncomingHttpHeaders
  /** Every Authorization header, for routes that admit their caller themselves. */
  readonly authorization: ReadonlyArray<string>
  readonly body: IncomingBody
  readonly requestId: string
  readonly traceId: string
  readonly now: number
  readonly ip: string
}
