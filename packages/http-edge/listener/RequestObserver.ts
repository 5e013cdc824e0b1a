import { Context } from "effect"
import type { KeyOwner } from "../admission/Admission.ts"

/** One answered request, for metrics and access logs. Holds no path, query or body. */
export interface ObservedRequest {
  /** `<group>.<endpoint>`, a raw route's name, or `unmatched`. */
  readonly operation: string
  readonly method: string
  /** The path of the contract, such as `/v1/messages/:message_id`; `-` where none matched. */
  readonly route: string
  /** The API key that was admitted, if any. */
  readonly keyId: string | undefined
  readonly status: number
  readonly requestId: string
  readonly traceId: string
  /** Milliseconds from the head's arrival to the answer's hand-over. */
  readonly millis: number
}

/** Called once per answered request; nothing is measured while it is absent. */
export const RequestObserver = Context.Reference<((request: ObservedRequest) => void) | undefined>(
  "@carteiro/http-edge/listener/RequestObserver",
  { defaultValue: () => undefined }
)

/** One answered request of a known environment, whole. What it refers to is freed after the call: a recorder copies what it keeps. */
export interface FinishedRequest extends ObservedRequest {
  /** The environment and the key that the request's secret leads to; the key may have been refused. */
  readonly owner: KeyOwner
  /** The instant of arrival, epoch milliseconds. */
  readonly arrivedAt: number
  /** As received, percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  /** The source address behind trusted proxies. */
  readonly ip: string
  /** Every Idempotency-Key header. */
  readonly idempotencyKeys: ReadonlyArray<string>
  /** Whether the answer is a stored one, sent again. */
  readonly isReplayed: boolean
  /** The JSON body as read; undefined for none, and on a route that leaves it to its handler. */
  readonly body: Uint8Array | undefined
  /** The answer's JSON text; undefined for bytes. */
  readonly answer: string | undefined
}

/** Called once per answered request whose environment is known, before the connection has taken the answer; must return at once. */
export const RequestRecorder = Context.Reference<((request: FinishedRequest) => void) | undefined>(
  "@carteiro/http-edge/listener/RequestRecorder",
  { defaultValue: () => undefined }
)
