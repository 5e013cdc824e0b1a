import type { IncomingHttpHeaders } from "node:http"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Effect, Stream } from "effect"
import type { Caller, PresentedKey } from "../admission/Admission.ts"

/** A request as a handler of the contract receives it: decoded, admitted, past the idempotency step. */
export interface ApiRequest<Params, Query, Body> {
  /** The caller; on a route without a key its ids are empty and match no row. */
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The result of the check of `Routes.checked`. */
  readonly checked?: unknown
  readonly requestId: string
  readonly traceId: string
  /** The epoch millisecond of arrival on the clock of the environment; also the instant of every id made in it. */
  readonly now: number
  /** The real instant of arrival, for what belongs to the organization. */
  readonly realNow: RealInstant
  /** Present when the caller sent a key on an operation that honors it: the commit completes the claim. A-IDEM-04 */
  readonly claim?: Claim
  /** The key as sent, on an operation that looks it up itself (`idempotencyInHandler`). */
  readonly idempotencyKey?: PresentedKey
  /** The source address after trusted proxies. gaps-1 M */
  readonly ip: string
  /** Completes when the client of a long poll has closed its sending half: it has left, or takes the events so far. */
  readonly left: Effect.Effect<void>
  /** The Range header, for responses that can be requested in part. */
  readonly range: string | undefined
  /** `<group>.<endpoint>`, equal to the operationId of /openapi.json. */
  readonly operation: string
}

/** A request whose caller is not known yet: the pipeline makes it before it asks the entrance of the operation. */
export type UncalledRequest = Omit<ApiRequest<unknown, unknown, unknown>, "caller">

/** The credentials of a request that authenticates by other means than an API key. */
export interface Credentials {
  readonly params: { readonly [name: string]: string }
  /** Every Authorization header. */
  readonly authorization: ReadonlyArray<string>
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  readonly now: number
}

/** A body that the pipeline leaves unread: capability URLs, forms, vendor webhooks. It can be read once. */
export interface IncomingBody {
  readonly contentType: string | undefined
  /** The declared length in bytes. */
  readonly contentLength: number | undefined
  /**
   * Reads everything into memory and counts it against the node's budget until the request is answered: 413 as soon as
   * it passes `limit` bytes, 503 when the budget is spent, 408 when it does not arrive. A-LIM-03
   */
  readonly bytes: (limit: number) => Effect.Effect<Uint8Array, ApiError>
  /** Reads piece by piece, for bodies that are passed on and not held: 413 beyond the limit, 408 below the pace. */
  readonly stream: (limits: StreamLimits) => Stream.Stream<Uint8Array, ApiError>
}

/** Limits of a body that is passed on while it arrives. */
export interface StreamLimits {
  /** The most bytes. */
  readonly limit: number
  /** The longest time from its beginning to its end, in milliseconds. */
  readonly totalMillis: number
  /** The least bytes in every twenty seconds. */
  readonly leastBytes: number
}

/** A request as a raw route receives it: neither decoded, nor authenticated, nor admitted. */
export interface RawRequest {
  readonly method: string
  /** As received, percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  readonly params: { readonly [name: string]: string }
  readonly headers: IncomingHttpHeaders
  /** Every Authorization header, for routes with their own admission. */
  readonly authorization: ReadonlyArray<string>
  readonly body: IncomingBody
  readonly requestId: string
  readonly traceId: string
  readonly now: RealInstant
  readonly ip: string
}
