import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect, Schema } from "effect"

/** A number to be moved, as the edge found it: both environments are known, and of one kind. */
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

/** The owners of sending numbers, which live in room messages. */
export class NumberOwners extends Context.Service<
  NumberOwners,
  {
    /** The text of the 200. Nothing is accepted for the number between its last message and the move. */
    transfer(numberId: string, item: TransferItem): Effect.Effect<string, ApiError>
    /** The number's state has changed: what it has queued is looked at. */
    wake(numberId: string): void
  }
>()("@carteiro/runtime/phone-numbers/number/NumberOwners") {}
