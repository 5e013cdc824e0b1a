import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"

/**
 * The parts of an API call that an action of a room needs, with the parts of its caller that it must know. The
 * dashboard and operators call these actions without an idempotency key. Instants in milliseconds.
 */
export interface ApiCall<Known extends keyof Caller> {
  readonly caller: Pick<Caller, Known>
  readonly now: number
  readonly traceId: string
  readonly claim?: Claim
}
