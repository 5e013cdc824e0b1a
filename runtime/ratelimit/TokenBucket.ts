/** The most tokens in a bucket, and the tokens that it regains per millisecond. */
export interface Rate {
  readonly burst: number
  readonly perMillis: number
}

/** The tokens left at an instant (milliseconds). An unused bucket is `undefined`, and full. */
export interface Bucket {
  readonly level: number
  readonly at: number
}

/** Whether the tokens were taken, otherwise the exact wait in milliseconds; and the bucket to keep. */
export interface Taken {
  readonly taken: boolean
  readonly retryAfterMs: number
  readonly bucket: Bucket
}

/**
 * The largest rounding error of summed fractions of a token; it makes a wait end on its millisecond and not on the
 * next.
 */
const rounding = 1e-9

/**
 * Returns the tokens in the bucket at an instant: never above the burst, and never fewer because a clock stepped back.
 */
export const levelAt = (bucket: Bucket | undefined, rate: Rate, nowMillis: number): number =>
  bucket === undefined
    ? rate.burst
    : Math.min(rate.burst, bucket.level + Math.max(0, nowMillis - bucket.at) * rate.perMillis)

/**
 * Takes `cost` tokens or none. A refusal leaves the bucket unchanged, so refused callers delay no other caller, and
 * states when the same draw would succeed without other draws. A cost above the burst can never be met: the wait is
 * Infinity. gaps-1 M "Algorithm and 429 fields", A-ERR-15
 */
export const take = (bucket: Bucket | undefined, rate: Rate, nowMillis: number, cost = 1): Taken => {
  const level = levelAt(bucket, rate, nowMillis)
  if (level + rounding >= cost) {
    const at = bucket === undefined ? nowMillis : Math.max(nowMillis, bucket.at)
    return { taken: true, retryAfterMs: 0, bucket: { level: Math.max(0, level - cost), at } }
  }
  const kept = bucket ?? { level, at: nowMillis }
  return { taken: false, retryAfterMs: waitFor(kept, rate, nowMillis, cost), bucket: kept }
}

/** Takes as many whole tokens as there are, at most `wanted`; for grants to batches and for pacing queues. */
export const takeUpTo = (
  bucket: Bucket | undefined,
  rate: Rate,
  nowMillis: number,
  wanted: number
): { readonly granted: number; readonly bucket: Bucket } => {
  const granted = Math.min(wanted, Math.floor(levelAt(bucket, rate, nowMillis) + rounding))
  return { granted, bucket: take(bucket, rate, nowMillis, granted).bucket }
}

const mostCorrections = 100

const waitFor = (bucket: Bucket, rate: Rate, nowMillis: number, cost: number): number => {
  if (cost > rate.burst || rate.perMillis <= 0) return Number.POSITIVE_INFINITY
  const enough = (wait: number) => levelAt(bucket, rate, nowMillis + wait) + rounding >= cost
  const behind = Math.max(0, bucket.at - nowMillis)
  let wait = Math.max(1, behind + Math.ceil((cost - bucket.level) / rate.perMillis - (nowMillis + behind - bucket.at)))
  // Rounding moves the exact millisecond by a few at most; at extreme instants `wait + 1` may equal `wait`.
  for (let steps = 0; steps < mostCorrections && !enough(wait); steps++) wait++
  for (let steps = 0; steps < mostCorrections && wait > 1 && enough(wait - 1); steps++) wait--
  return wait
}
