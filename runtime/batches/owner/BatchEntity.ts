import { Claim } from "@carteiro/owners/Idempotency.ts"
import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"

/** A command as the edge hands it on: the caller's environment, which must be the batch's. */
export const CommandItem = Schema.Struct({
  environment_id: Schema.String,
  claim: Schema.UndefinedOr(Claim)
})
export type CommandItem = typeof CommandItem.Type

/**
 * One batch: feeds its recipients to their number as fast as that takes them, and moves its status. Calls go one way, to
 * the number. Architecture, section 2
 */
export const BatchEntity = defineOwner("Batch", {
  /** The text of the batch. gaps-2 H "Pause, resume, cancel" */
  Pause: batch(CommandItem, Schema.String),
  Resume: batch(CommandItem, Schema.String),
  Cancel: batch(CommandItem, Schema.String)
})
