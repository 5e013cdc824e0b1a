const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** After a doubt, in milliseconds. gaps-3 C "Recovery schedule" */
const offsets = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs]
/** Look-ups whose finding nothing proves that nothing was made. gaps-3 C "Proven create history" */
export const provenAbsentMs = { first: 10 * minuteMs, second: 70 * minuteMs } as const

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
