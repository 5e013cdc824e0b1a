import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Schema } from "effect"

/** One message to cancel, as the edge found it. */
export const CancelItem = Schema.Struct({
  id: Schema.String,
  environment_id: Schema.String,
  environment: EnvironmentKind,
  claim: Schema.UndefinedOr(Claim)
})
export type CancelItem = typeof CancelItem.Type
