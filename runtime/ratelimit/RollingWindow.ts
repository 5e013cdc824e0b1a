/** The most admissions in any time span of this many milliseconds. */
export interface WindowLimit {
  readonly limit: number
  readonly windowMillis: number
}

/** The instants (milliseconds) of the admissions that still count, oldest first. */
export type RollingWindow = ReadonlyArray<number>

/**
 * Admits or refuses one request; a refusal is not recorded, so it never extends the wait. An admission stops counting
 * `windowMillis` after it. A-WHT-08, gaps-1 M "Clock of the test limit"
 */
export const admit = (
  window: RollingWindow,
  { limit, windowMillis }: WindowLimit,
  nowMillis: number
): { readonly admitted: boolean; readonly retryAfterMs: number; readonly window: RollingWindow } => {
  const now = Math.max(nowMillis, window.at(-1) ?? nowMillis)
  const counting = window.filter((at) => at + windowMillis > now)
  if (counting.length < limit) return { admitted: true, retryAfterMs: 0, window: [...counting, now] }
  const leaving = counting[counting.length - limit]
  const retryAfterMs = leaving === undefined ? Number.POSITIVE_INFINITY : leaving + windowMillis - nowMillis
  return { admitted: false, retryAfterMs, window: counting }
}
