/**
 * How long a step is reserved for a call, in milliseconds. A call ends within 15 seconds, so after this time a request
 * has arrived or never will.
 */
export const reservedMs = 30_000

/**
 * The pauses before five retries over a quarter of an hour, in milliseconds after the previous attempt. gaps-2 K
 * "Number provider calls"
 */
const retryPauses = [30_000, 60_000, 150_000, 240_000, 420_000] as const

const retriedMs = retryPauses.reduce<number>((sum, pause) => sum + pause, 0)

/**
 * Returns when a step is retried after that many failures; undefined after the last retry. Instants in epoch
 * milliseconds.
 */
export const triesAgainAt = (missedBefore: number, now: number): number | undefined => {
  const pause = retryPauses[missedBefore]
  return pause === undefined ? undefined : now + pause
}

/** Returns until when an ordered number may be delivered. */
export const deliveredBy = (beganAt: number): number => beganAt + retriedMs

/**
 * Returns when an order under way is polled again, unless a notice comes first: often at first, because most orders
 * take seconds.
 */
export const pollsAt = (beganAt: number, now: number): number => {
  const age = now - beganAt
  return now + (age < 10_000 ? 1000 : age < 60_000 ? 5000 : 30_000)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** How long an order that was given up is watched for a late delivery, in milliseconds. */
const watchedMs = 30 * 24 * hourMs

/** Returns when an order that was given up is polled again; undefined when it is watched no longer. */
export const watchesAt = (beganAt: number, now: number): number | undefined => {
  const age = now - beganAt
  if (age >= watchedMs) return undefined
  return now + (age < 10 * minuteMs ? minuteMs : age < hourMs ? 5 * minuteMs : hourMs)
}

/** Returns when the return of a number is retried: the number costs money until it is returned. */
export const returnsAt = (missedBefore: number, now: number): number =>
  now + Math.min(hourMs, reservedMs * 2 ** Math.min(missedBefore, 10))
