import type { EnvironmentKind, RateClass } from "@carteiro/schema/conventions/Access.ts"
import type { RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { type RateTable, rateRow } from "../../ratelimit/RateTable.ts"
import { type Bucket, type Rate, take } from "../../ratelimit/TokenBucket.ts"

/** The tokens that the organization granted to a batch, by class; undefined when it sets no limit. */
export type Grants = Map<RateClass, { tokens: number; readonly retryAfterMs: number }>

/** The key that spends a token, and the class of the token. */
export interface Payment {
  readonly key: { readonly api_key_id: string; readonly environment: EnvironmentKind }
  readonly rate: RateClass
}

/**
 * Returns how many tokens of each class the organization is asked for: the most that the payments could spend, without
 * those whose own key bucket is empty.
 */
export const countWanted = (
  rates: RateTable,
  payments: ReadonlyArray<Payment>,
  buckets: ReadonlyMap<string, Bucket>,
  now: number
): ReadonlyMap<RateClass, number> => {
  const wanted = new Map<RateClass, number>()
  const spent = new Map<string, Bucket>()
  for (const { key, rate } of payments) {
    const row = rateRow(rates, rate, key.environment)
    if (row.organization === undefined) continue
    if (row.key !== undefined) {
      const name = keyBucket(key.api_key_id, rate)
      const taken = take(spent.get(name) ?? buckets.get(name), row.key, now)
      spent.set(name, taken.bucket)
      if (!taken.taken) continue
    }
    wanted.set(rate, (wanted.get(rate) ?? 0) + 1)
  }
  return wanted
}

/**
 * Takes a token from the key's bucket, the environment's bucket and the organization's grant. A refusal by one of them
 * draws from none, so that a caller who waits for the stated time finds the other tokens available. gaps-1 M "Algorithm
 * and 429 fields"
 */
export const spendToken = (
  rates: RateTable,
  { key, rate }: Payment,
  buckets: Map<string, Bucket>,
  grants: Grants,
  now: number
): "spent" | "unlimited" | RateLimited => {
  const row = rateRow(rates, rate, key.environment)
  const own = drawFrom(keyBucket(key.api_key_id, rate), row.key, buckets, now)
  const shared = drawFrom(`environment/${rate}`, row.environment, buckets, now)
  if (own?.taken === false) return emptyBucket(rate, "API key", own.retryAfterMs)
  if (shared?.taken === false) return emptyBucket(rate, "environment", shared.retryAfterMs)
  const grant = row.organization === undefined ? undefined : grants.get(rate)
  if (grant !== undefined) {
    if (grant.tokens <= 0) return emptyBucket(rate, "organization", Math.max(1, grant.retryAfterMs))
    grant.tokens--
  }
  for (const drawn of [own, shared]) if (drawn !== undefined) buckets.set(drawn.name, drawn.bucket)
  return own === undefined && shared === undefined ? "unlimited" : "spent"
}

const keyBucket = (apiKeyId: string, rate: RateClass) => `${apiKeyId}/${rate}`

/** Returns a token of one bucket without taking it yet; undefined when no limit is set. */
const drawFrom = (name: string, limit: Rate | undefined, buckets: ReadonlyMap<string, Bucket>, now: number) =>
  limit === undefined ? undefined : { name, ...take(buckets.get(name), limit, now) }

/** Levels of buckets by key, each at its instant in epoch milliseconds. */
type Levels = ReadonlyArray<readonly [key: string, level: number, at: number]>

const savedLevels = jsonCodec<Levels>()

/**
 * Returns the buckets in the form in which they are saved from time to time: a crash loses at most the last seconds of
 * spending.
 */
export const writeLevels = (buckets: ReadonlyMap<string, Bucket>): string =>
  savedLevels.write([...buckets].map(([key, { level, at }]) => [key, level, at]))

/** Returns the saved buckets; none without saved text. */
export const readLevels = (saved: string | undefined): Map<string, Bucket> =>
  new Map(saved === undefined ? [] : savedLevels.read(saved).map(([key, level, at]) => [key, { level, at }]))

/** Removes buckets that would be full by now, so that memory holds only buckets in use. */
export const forgetFull = (buckets: Map<string, Bucket>, now: number, idleMs: number): void => {
  for (const [key, bucket] of buckets) if (now - bucket.at > idleMs) buckets.delete(key)
}
