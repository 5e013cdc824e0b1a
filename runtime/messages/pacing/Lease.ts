import type { Quality } from "../guards/MarketingGuard.ts"
import { allowanceOf, portfolioAllowance } from "./Allowance.ts"
import type { SlotLedger } from "./SlotLedger.ts"

/**
 * The part of its portfolio's allowance that a number may fill, as its owner remembers it: never more than the stored
 * row. Decision 0150, U-LIM-01
 */
export interface Lease {
  readonly portfolio_id: string
  /** The most slots that the number may have at once. */
  readonly quota: number
  /** The portfolio's allowance under which the quota was confirmed. */
  readonly allowance: number
  /** The change of the portfolio's limit under which the quota was confirmed. */
  readonly limit_revision: number
  /** Beyond so many slots it opens none while other numbers wait; null while none waits. */
  readonly cap: number | null
  /** When the portfolio last had less than the number needs; null once it got that. Epoch milliseconds. */
  readonly short_at: number | null
}

/** A stored lease of a number in a portfolio. Decision 0150 */
export interface StoredLease extends Lease {
  /** True while the portfolio waits for what is not used. */
  readonly is_recalled: boolean
  /** When the number was seen to have left the portfolio; null for one of it. Epoch milliseconds. */
  readonly left_at: number | null
  /** True while the number's request is not decided, or was not granted in full. */
  readonly is_requested: boolean
}

/** The parts of a number that limit its slots. */
export interface LimitedNumber {
  readonly messaging_tier: string
  readonly quality_rating: Quality
  /** Null while it is unknown: the number then counts alone. */
  readonly portfolio_id: string | null
  /** Counts the changes of the portfolio's limit. */
  readonly limit_revision: number
}

/** A request of a number to its portfolio that is not known to be decided. */
export interface OpenRequest {
  readonly portfolio_id: string
  readonly wanted: number
  /** Epoch milliseconds; afterwards the number may request again. */
  readonly until: number
}

/** The slots and the lease in the memory of a number's owner. */
export interface SlotMemory {
  slots: SlotLedger | undefined
  /** Undefined until the slots were read, and for a number that never had one. */
  lease: Lease | undefined
  request: OpenRequest | undefined
}

/** The present limit of a number's portfolio. */
interface PresentLimit {
  readonly portfolio_id: string
  readonly allowance: number
  readonly limit_revision: number
}

/**
 * Returns the slots that a lease allows to a number that has so many live ones: no more than these where the lease is of
 * another portfolio, or was confirmed under another limit. A smaller limit that rose and fell again is another one: other
 * numbers may have got more in between. U-LIM-01
 */
export const usableQuota = (lease: Lease | undefined, limit: PresentLimit, live: number): number => {
  if (lease === undefined || lease.portfolio_id !== limit.portfolio_id) return live
  if (lease.allowance > limit.allowance || lease.limit_revision !== limit.limit_revision) return live
  return lease.cap === null ? lease.quota : Math.min(lease.quota, Math.max(lease.cap, live))
}

/** Returns the most slots that a number may have now; undefined without a limit. U-LIM-01 */
export const slotLimit = ({ lease, slots }: SlotMemory, number: LimitedNumber, now: number): number | undefined => {
  const own = allowanceOf(number.messaging_tier, number.quality_rating)
  const allowance = portfolioAllowance(number.messaging_tier)
  const { limit_revision, portfolio_id } = number
  if (own === undefined || allowance === undefined || portfolio_id === null) return own
  return Math.min(own, usableQuota(lease, { portfolio_id, allowance, limit_revision }, slots?.used(now) ?? 0))
}

/** How long a number whose portfolio had nothing left expects nothing of it, in milliseconds. */
const shortMs = 60_000

/**
 * Returns the most slots by which a new send waits from its acceptance on; undefined without a limit. A lease that is
 * used up holds no send back before the portfolio was heard. U-LIM-01
 */
export const limitAtAccept = (memory: SlotMemory, number: LimitedNumber, now: number): number | undefined => {
  const { lease } = memory
  const isShort =
    lease?.portfolio_id === number.portfolio_id && lease.short_at !== null && lease.short_at + shortMs > now
  return isShort ? slotLimit(memory, number, now) : allowanceOf(number.messaging_tier, number.quality_rating)
}

/** Returns the slots that a number leases beyond those it needs at once, so that its next sends wait for nothing. */
export const blockOf = (allowance: number): number => Math.min(1000, Math.max(10, Math.ceil(allowance / 20)))

/** Returns the free slots below which a number requests its next block. */
export const lowOf = (allowance: number): number => Math.ceil(blockOf(allowance) / 4)
