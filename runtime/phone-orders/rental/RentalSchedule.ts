/**
 * How long a look may take and still be written, in milliseconds: what left longer ago has arrived, or never will. A call
 * ends within 15 seconds.
 */
export const reservedMs = 30_000

/** Five more tries over a quarter of an hour, in milliseconds after the one before. gaps-2 K "Number provider calls" */
const retryPauses = [30_000, 60_000, 150_000, 240_000, 420_000] as const

const retriedMs = retryPauses.reduce<number>((sum, pause) => sum + pause, 0)

/** When a step that was missed so often before is tried again; undefined for never more. Instants in epoch milliseconds. */
export const triesAgainAt = (missedBefore: number, now: number): number | undefined => {
  const pause = retryPauses[missedBefore]
  return pause === undefined ? undefined : now + pause
}

/** Until when a number that was ordered may come. */
export const deliveredBy = (beganAt: number): number => beganAt + retriedMs

/** When an order under way is looked at again, unless a hint comes first: often at first, since most take seconds. */
export const pollsAt = (beganAt: number, now: number): number => {
  const age = now - beganAt
  return now + (age < 10_000 ? 1000 : age < 60_000 ? 5000 : 30_000)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Nothing is delivered later than this. */
const watchedMs = 30 * 24 * hourMs

/** When an order that was given up is looked at again, in case it is delivered; undefined for never more. */
export const watchesAt = (beganAt: number, now: number): number | undefined => {
  const age = now - beganAt
  if (age >= watchedMs) return undefined
  return now + (age < 10 * minuteMs ? minuteMs : age < hourMs ? 5 * minuteMs : hourMs)
}

/** When a number that did not go back is given back again: it costs until it has. */
export const returnsAt = (missedBefore: number, now: number): number =>
  now + Math.min(hourMs, reservedMs * 2 ** Math.min(missedBefore, 10))
