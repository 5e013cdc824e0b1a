import { type Brand, Effect } from "effect"
import { TurnedClock } from "./OwnerClocks.ts"

/**
 * An instant of real time in epoch milliseconds, never of a tenant's turned clock: what belongs to an organization
 * (projects, keys, members, audit) takes no other. gaps-1 "Sandbox clock"
 */
export type RealInstant = number & Brand.Brand<"RealInstant">

/** The node's time, also within a handler of a sandbox whose clock was turned. */
export const realNow: Effect.Effect<RealInstant> = Effect.clockWith((clock) =>
  Effect.sync(
    () => (clock instanceof TurnedClock ? clock.realMillisUnsafe() : clock.currentTimeMillisUnsafe()) as RealInstant
  )
)

/** Returns the real instant at which an owner's clock shows an instant of about now. */
export const realOf = (instant: number, owner: { readonly lead: () => number | undefined }): RealInstant =>
  (instant - (owner.lead() ?? 0)) as RealInstant
