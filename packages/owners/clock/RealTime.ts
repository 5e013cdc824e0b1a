import { type Brand, Effect } from "effect"
import { TurnedClock } from "./OwnerClocks.ts"

/**
 * An instant of real time in epoch milliseconds, never of a tenant's turned clock: what belongs to an organization
 * (projects, keys, members, audit) takes no other. gaps-1 "Sandbox clock"
 */
export type RealInstant = number & Brand.Brand<"RealInstant">

/** Marks an instant that comes from a clock which no tenant turns. */
export const realInstant = (millis: number): RealInstant => millis as RealInstant

/** The node's time, also within a handler of a sandbox whose clock was turned. */
export const realNow: Effect.Effect<RealInstant> = Effect.suspend(() =>
  Effect.clockWith((clock) =>
    Effect.sync(() =>
      realInstant(clock instanceof TurnedClock ? clock.realMillisUnsafe() : clock.currentTimeMillisUnsafe())
    )
  )
)
