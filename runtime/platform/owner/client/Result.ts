import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { IdempotencyDuplicate } from "../../idempotency/Claim.ts"
import type { Outcome } from "../protocol/Behaviour.ts"

/** What an outcome is to the one who called. */
export const resultOf = <A>(outcome: Outcome<A>): Effect.Effect<A, ApiError> => {
  if ("ok" in outcome) return Effect.succeed(outcome.ok)
  if ("error" in outcome) return Effect.fail(outcome.error)
  if ("defect" in outcome) return Effect.die(new Error(outcome.defect))
  // Who asked is an owner that leaves this node: its callers go to its successor, without waiting for a deadline here.
  if (outcome.retry === "leaving") return Effect.interrupt
  return Effect.fail(
    outcome.retry === "duplicate" ? new IdempotencyDuplicate() : new ServiceUnavailable({ retry_after_ms: 1000 })
  )
}
