const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Delays of the first look-ups after an outcome became doubtful, in milliseconds. gaps-3 C "Recovery schedule" */
const offsets = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs]
/**
 * Look-ups that find nothing this long after a create prove that nothing was created. gaps-3 C "Proven create history"
 */
const provenAbsentMs = { first: 10 * minuteMs, second: 70 * minuteMs } as const

/** The evidence from look-ups that did not find what a create may have made. */
interface Absence {
  /** The epoch millisecond of the first look-up that counts and found nothing; null while there is none. */
  readonly absent_at: number | null
  readonly isProven: boolean
}

/**
 * Returns the evidence after one more look-up that found nothing. A create may take effect late, and look-ups may lag
 * behind it, so two of them, 10 and 70 minutes after the create was sent at `since`, prove its absence. gaps-3 C
 * "Proven create history"
 */
export const stillAbsent = (since: number, absent_at: number | null, now: number): Absence => {
  const age = now - since
  if (absent_at !== null && age >= provenAbsentMs.second) return { absent_at, isProven: true }
  return { absent_at: absent_at ?? (age >= provenAbsentMs.first ? now : null), isProven: false }
}

/**
 * Returns the next look-up of something whose last doubt began at `since`. `looksUp` adds the instants at which absence
 * is proven. gaps-3 C "Recovery schedule"
 */
export const looksAgainAt = (since: number, now: number, looksUp: boolean): number => {
  const planned = looksUp ? [...offsets, provenAbsentMs.first, provenAbsentMs.second] : offsets
  const next = planned.map((offset) => since + offset).filter((at) => at > now)
  if (next.length > 0) return Math.min(...next)
  return now + (now - since < 7 * dayMs ? hourMs : dayMs)
}

/**
 * Returns the next instant at which absence may be proven, for callers that look more often in between; undefined once
 * both instants have passed.
 */
export const settlesAt = (since: number, now: number): number | undefined =>
  [since + provenAbsentMs.first, since + provenAbsentMs.second].find((at) => at > now)
