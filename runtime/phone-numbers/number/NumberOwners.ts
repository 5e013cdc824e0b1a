import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect, Schema } from "effect"

/** A number to transfer, after the edge's checks: both environments exist and are of one kind. */
export const TransferItem = Schema.Struct({
  organization_id: Schema.String,
  environment_id: Schema.String,
  environment: EnvironmentKind,
  target_environment_id: Schema.String,
  reason: Schema.NullOr(Schema.String),
  api_key_id: Schema.NullOr(Schema.String),
  trace_id: Schema.String,
  claim: Schema.UndefinedOr(Claim)
})
export type TransferItem = typeof TransferItem.Type

/** The owners of sending numbers, which belong to the messages room. */
export class NumberOwners extends Context.Service<
  NumberOwners,
  {
    /**
     * Transfers a number and returns the body of the 200. The owner accepts no message between the last one and the
     * transfer.
     */
    transfer(numberId: string, item: TransferItem): Effect.Effect<string, ApiError>
    /** Wakes the number's owner after a change of its state, so that it handles the number's queue. */
    wake(numberId: string): void
  }
>()("@carteiro/runtime/phone-numbers/number/NumberOwners") {}
