import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"

/**
 * A call of the API as far as an action of a room needs it, and what it must know of its caller. People of the dashboard
 * and operators call the same actions, without an idempotency key. Instants in milliseconds.
 */
export interface ApiCall<Known extends keyof Caller> {
  readonly caller: Pick<Caller, Known>
  readonly now: number
  readonly traceId: string
  readonly claim?: Claim
}
