import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"

/** How long a connected number waits for a connection that can reach it, in milliseconds. gaps-2 K "State machine" */
const waitMs = dayMs

/**
 * The interval between two checks, at first and later, in milliseconds: most connections are made shortly before or
 * after.
 */
const soonMs = 5 * 1000
const laterMs = 5 * 60 * 1000
const isSoonMs = 60 * 1000

/** Returns when a number fails that no connection has reached. */
export const verificationEndsAt = (connectedAt: number): number => connectedAt + waitMs

/** Returns the next check of a number that no connection has reached; never later than its end. */
export const verifyAgainAt = (connectedAt: number, now: number): number =>
  Math.min(verificationEndsAt(connectedAt), now + (now - connectedAt < isSoonMs ? soonMs : laterMs))
