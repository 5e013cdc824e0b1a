const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** After a doubt, in milliseconds. gaps-3 C "Recovery schedule" */
const offsets = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs]
/** Look-ups that found nothing so long after a create prove that nothing was made. gaps-3 C "Proven create history" */
const provenAbsentMs = { first: 10 * minuteMs, second: 70 * minuteMs } as const

/** The evidence of look-ups that found nothing of a create. */
interface Absence {
  /** When the first one that counts found nothing, in epoch milliseconds; null while none does. */
  readonly absent_at: number | null
  readonly isProven: boolean
}

/**
 * Returns what one more look-up that finds nothing says: a create may land late, and look-ups may lag behind it, so two of
 * them, 10 and 70 minutes after the create left at `since`, prove its absence. gaps-3 C "Proven create history"
 */
export const stillAbsent = (since: number, absent_at: number | null, now: number): Absence => {
  const age = now - since
  if (absent_at !== null && age >= provenAbsentMs.second) return { absent_at, isProven: true }
  return { absent_at: absent_at ?? (age >= provenAbsentMs.first ? now : null), isProven: false }
}

/**
 * When something is looked at again whose last doubt began then; `looksUp` adds the instants at which absence is proven.
 * gaps-3 C "Recovery schedule"
 */
export const looksAgainAt = (since: number, now: number, looksUp: boolean): number => {
  const planned = looksUp ? [...offsets, provenAbsentMs.first, provenAbsentMs.second] : offsets
  const next = planned.map((offset) => since + offset).filter((at) => at > now)
  if (next.length > 0) return Math.min(...next)
  return now + (now - since < 7 * dayMs ? hourMs : dayMs)
}

/** Returns when absence may be proven next, for who looks more often in between; undefined once both instants are over. */
export const settlesAt = (since: number, now: number): number | undefined =>
  [since + provenAbsentMs.first, since + provenAbsentMs.second].find((at) => at > now)
