import type { Bucket } from "../../platform/ratelimit/TokenBucket.ts"

/** Buckets as they are saved now and then: a crash may lose the last seconds of spending, never more. */
export const writeLevels = (buckets: ReadonlyMap<string, Bucket>): string =>
  JSON.stringify([...buckets].map(([key, { level, at }]) => [key, level, at]))

/** The saved buckets, or none. */
export const readLevels = (saved: string | undefined): Map<string, Bucket> =>
  new Map(
    saved === undefined
      ? []
      : (JSON.parse(saved) as ReadonlyArray<readonly [string, number, number]>).map(([key, level, at]) => [
          key,
          { level, at }
        ])
  )

/** Forgets buckets that would be full by now, so that what is kept stays as small as what is in use. */
export const forgetFull = (buckets: Map<string, Bucket>, now: number, idleMs: number): void => {
  for (const [key, bucket] of buckets) if (now - bucket.at > idleMs) buckets.delete(key)
}
