import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Rate } from "../../ratelimit/TokenBucket.ts"

/** A plan's throughput tier. gaps-2 D "Per-number throughput budget" */
export type ThroughputPlan = "starter" | "growth" | "scale"

/** The upstream's tier of one number; null until the first health check. M-PHN-09 */
export type UpstreamThroughputTier = "1" | "2" | "3" | "4" | "unlimited" | null

const planPerSecond = { starter: 10, growth: 40, scale: 80 } as const
const sandboxPerSecond = 10
const upstreamPerSecond = { "1": 20, "2": 80, "3": 250, "4": 500, unlimited: 1000 } as const
const unknownUpstreamPerSecond = 80

/**
 * Returns the messages per second of one number: the smaller of plan and upstream. gaps-2 D "Per-number throughput
 * budget"
 */
export const messagesPerSecond = (
  environment: EnvironmentKind,
  plan: ThroughputPlan,
  tier: UpstreamThroughputTier
): number =>
  Math.min(
    environment === "sandbox" ? sandboxPerSecond : planPerSecond[plan],
    tier === null ? unknownUpstreamPerSecond : upstreamPerSecond[tier]
  )

/** The rate limits of one number; an absent bucket sets no limit. */
export interface NumberLimits {
  readonly accept: Rate | undefined
  readonly send: Rate | undefined
}

/**
 * Returns both buckets of a number, bounded by the process's own limit for its kind of environment: a missing limit
 * lifts them, a lower one lowers them, and in a sandbox it is the number's rate. gaps-2 D "Per-number throughput
 * budget"
 */
export const numberLimits = (
  environment: EnvironmentKind,
  plan: ThroughputPlan,
  tier: UpstreamThroughputTier,
  limit: Rate | undefined
): NumberLimits => {
  if (limit === undefined) return { accept: undefined, send: undefined }
  const perSecond = limit.perMillis * 1000
  if (environment === "sandbox") return { accept: limit, send: sendRate(perSecond) }
  const allowed = Math.min(messagesPerSecond(environment, plan, tier), perSecond)
  return { accept: acceptRate(allowed), send: sendRate(allowed) }
}

/**
 * Returns the rate of the bucket from which a send draws before its acceptance: its burst is ten seconds. M-ERR-06,
 * gaps-2 D
 */
export const acceptRate = (perSecond: number): Rate => ({ burst: perSecond * 10, perMillis: perSecond / 1000 })

/** Returns the rate of the bucket from which the worker draws; messages without a token stay queued. gaps-2 D */
export const sendRate = (perSecond: number): Rate => ({ burst: Math.max(1, perSecond), perMillis: perSecond / 1000 })

/** The limit that the upstream reports as used up: the number's, or that of sender and recipient together. gaps-2 D */
export type ExhaustedLimit = "number" | "pair"

/**
 * The time after which a message over the limit fails with `phone_number_rate_limit_exhausted`, in milliseconds.
 * M-DLV-06, gaps-2 D
 */
const exhaustionBoundMs = 15 * 60 * 1000

/**
 * Returns when to retry after the upstream refused for rate, or `undefined` once the bound has passed. `refusals`
 * includes this refusal; instants are epoch milliseconds. gaps-2 D "Throughput exhaustion"
 */
export const retryExhaustedAt = (
  limit: ExhaustedLimit,
  refusals: number,
  firstRefusedAt: number,
  now: number
): number | undefined => {
  if (now - firstRefusedAt >= exhaustionBoundMs) return undefined
  const seconds = limit === "number" ? Math.min(60, 2 ** (refusals - 1)) : Math.min(96, 6 * 4 ** (refusals - 1))
  return now + seconds * 1000
}
