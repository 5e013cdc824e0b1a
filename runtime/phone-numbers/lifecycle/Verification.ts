/** How long a connected number waits for a connection that reaches it, in milliseconds. gaps-2 K "State machine" */
const waitMs = 24 * 60 * 60 * 1000

/** Looked at so often, at first and later, in milliseconds: a connection is mostly made right before or after. */
const soonMs = 5 * 1000
const laterMs = 5 * 60 * 1000
const isSoonMs = 60 * 1000

/** When a number that nothing reached by then has failed. */
export const verificationEndsAt = (connectedAt: number): number => connectedAt + waitMs

/** When a number that nothing reached yet is looked at again; never later than its end. */
export const verifyAgainAt = (connectedAt: number, now: number): number =>
  Math.min(verificationEndsAt(connectedAt), now + (now - connectedAt < isSoonMs ? soonMs : laterMs))
