import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"

/** The request of a number's owner for slots of its portfolio; see `LeaseRequest`. */
export const LeaseItem = Schema.Struct({
  business_id: Schema.String,
  used: Schema.Int,
  needed: Schema.Int,
  wanted: Schema.Int,
  /** The portfolio's allowance as the number knows it. */
  allowance: Schema.Int
})
export type LeaseItem = typeof LeaseItem.Type

/** The lease of a number after its request; see `Lease`. */
export const LeaseAnswer = Schema.Struct({
  quota: Schema.Int,
  allowance: Schema.Int,
  cap: Schema.NullOr(Schema.Int),
  /** In how many milliseconds the number may ask again; null when it got what it needs. */
  retry_ms: Schema.NullOr(Schema.Int)
})

/**
 * The owner of the daily allowance of one business portfolio, by its id at the chat platform. Numbers lease slots of it,
 * so that all of them together never exceed it. Decision 0150, U-LIM-01
 */
export const PortfolioEntity = defineOwner("Portfolio", {
  /** Leases slots to a number. Repeating a request leases no more than the first one asked for. */
  Lease: batch(LeaseItem, LeaseAnswer)
})
