import { Context } from "effect"

/** What one answered request was, for metrics and access logs. Holds no path, query or body. */
export interface ObservedRequest {
  /** `<group>.<endpoint>`, a raw route's name, or `unmatched`. */
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly requestId: string
  readonly traceId: string
  /** Milliseconds from the head's arrival to the answer's hand-over. */
  readonly millis: number
}

/** Called once per answered request; nothing is measured while it is absent. */
export const RequestObserver = Context.Reference<((request: ObservedRequest) => void) | undefined>(
  "@carteiro/runtime/platform/http/listener/RequestObserver",
  { defaultValue: () => undefined }
)
