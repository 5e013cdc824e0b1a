import { Context } from "effect"
import type { KeyOwner } from "../admission/Admission.ts"

/** One answered request, for metrics and access logs. It holds no path, query or body. */
export interface ObservedRequest {
  /** `<group>.<endpoint>`, a raw route's name, or `unmatched`. */
  readonly operation: string
  readonly method: string
  /** The path of the contract, such as `/v1/messages/:message_id`; `-` without a match. */
  readonly route: string
  /** The API key that was admitted, if any. */
  readonly keyId: string | undefined
  readonly status: number
  readonly requestId: string
  readonly traceId: string
  /** Milliseconds from the head's arrival to the hand-over of the response. */
  readonly millis: number
}

/** Called once per answered request; requests are not measured without it. */
export const RequestObserver = Context.Reference<((request: ObservedRequest) => void) | undefined>(
  "@carteiro/http-edge/listener/RequestObserver",
  { defaultValue: () => undefined }
)

/**
 * One answered request of a known environment, in full. The memory it refers to is freed after the call: a recorder
 * copies the parts it keeps.
 */
export interface FinishedRequest extends ObservedRequest {
  /** The environment and the key of the request's secret; the key may have been refused. */
  readonly owner: KeyOwner
  /** The epoch millisecond of arrival. */
  readonly arrivedAt: number
  /** As received, percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  /** The source address behind trusted proxies. */
  readonly ip: string
  /** Every Idempotency-Key header. */
  readonly idempotencyKeys: ReadonlyArray<string>
  /** True when the response is a stored one, sent again. */
  readonly isReplayed: boolean
  /** The JSON body as read; undefined for none, and on a route that leaves it to its handler. */
  readonly body: Uint8Array | undefined
  /** The warning of the response; undefined without one. */
  readonly warning: string | undefined
  /** The country in which the project reads phone numbers; undefined when the request was refused before it was known. */
  readonly region: string | undefined
  /** The response's JSON text; undefined for bytes. */
  readonly answer: string | undefined
}

/**
 * Called once per answered request whose environment is known, before the connection has taken the response; it must
 * return at once.
 */
export const RequestRecorder = Context.Reference<((request: FinishedRequest) => void) | undefined>(
  "@carteiro/http-edge/listener/RequestRecorder",
  { defaultValue: () => undefined }
)
