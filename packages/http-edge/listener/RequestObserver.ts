import { Context } from "effect"

/** What one answered request was, for metrics and access logs. Holds no path, query or body. */
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
