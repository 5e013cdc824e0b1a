const sixHoursMs = 6 * 60 * 60_000
const firstRetryMs = 5 * 60_000

/** Returns the next check of a connection: six hours later, give or take a tenth; `draw` is from 0 to 1. M-LIM-07 */
export const nextLookAt = (now: number, draw: number): number => now + Math.round(sixHoursMs * (0.9 + 0.2 * draw))

/** Returns the next check after that many failures in a row: 5, 10, 20 minutes and so on. */
export const retryLookAt = (now: number, attempts: number): number =>
  now + Math.min(sixHoursMs, firstRetryMs * 2 ** Math.min(attempts, 10))
