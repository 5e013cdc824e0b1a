const sixHoursMs = 6 * 60 * 60_000
const firstRetryMs = 5 * 60_000

/** The next look at a connection, six hours ahead and a tenth of that either way; `draw` is from 0 to 1. M-LIM-07 */
export const nextLookAt = (now: number, draw: number): number => now + Math.round(sixHoursMs * (0.9 + 0.2 * draw))

/** The next look after so many in a row that brought nothing: 5, 10, 20 minutes and so on. */
export const retryLookAt = (now: number, attempts: number): number =>
  now + Math.min(sixHoursMs, firstRetryMs * 2 ** Math.min(attempts, 10))
