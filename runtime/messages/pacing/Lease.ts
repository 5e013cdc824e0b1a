import type { Quality } from "../guards/MarketingGuard.ts"
import { allowanceOf, portfolioAllowance, slotMs } from "./Allowance.ts"
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
  /** Beyond so many slots it opens none while other numbers wait; null while none waits. */
  readonly cap: number | null
  /** The instant before which the portfolio is not asked again; epoch milliseconds. */
  readonly ask_again_at: number
}

/** The parts of a number that limit its slots. */
export interface LimitedNumber {
  readonly messaging_tier: string
  readonly quality_rating: Quality
  /** Null while it is unknown: the number then counts alone. */
  readonly portfolio_id: string | null
}

/** The slots and the lease in the memory of a number's owner. */
export interface SlotMemory {
  slots: SlotLedger | undefined
  /** Undefined until the slots were read, and for a number that never had one. */
  lease: Lease | undefined
  /** How often it returned what it does not use: the answer to a question from before a return is ignored. */
  returns: number
}

/**
 * Returns the slots that a lease allows to a number that has so many: as many as it has where the lease is of another
 * portfolio, or was confirmed under a greater allowance. U-LIM-01
 */
export const usableQuota = (
  lease: Lease | undefined,
  { allowance, portfolio_id }: { readonly portfolio_id: string; readonly allowance: number },
  used: number
): number => {
  if (lease === undefined || lease.portfolio_id !== portfolio_id || lease.allowance > allowance) return used
  return lease.cap === null ? lease.quota : Math.min(lease.quota, Math.max(lease.cap, used))
}

/**
 * Returns the most slots that a number may have now, without a question to its portfolio; undefined without a limit.
 * U-LIM-01
 */
export const slotLimit = ({ lease, slots }: SlotMemory, number: LimitedNumber, now: number): number | undefined => {
  const own = allowanceOf(number.messaging_tier, number.quality_rating)
  const allowance = portfolioAllowance(number.messaging_tier)
  if (own === undefined || allowance === undefined || number.portfolio_id === null) return own
  return Math.min(own, usableQuota(lease, { portfolio_id: number.portfolio_id, allowance }, slots?.taken(now) ?? 0))
}

/** Returns the slots that a number leases beyond those it needs at once, so that its next sends ask nobody. */
export const blockOf = (allowance: number): number => Math.min(1000, Math.max(10, Math.ceil(allowance / 20)))

/**
 * The interval at which a number with held messages checks whether some may be sent, in milliseconds. gaps-2 D "How
 * pacing holds and releases"
 */
const releaseEveryMs = 60_000

/**
 * Returns when the release loop of a number runs next: every minute, as soon as a slot ends, and when its portfolio may
 * have slots again. Epoch milliseconds. While the clock of a sandbox stands, as it does in an advance, no minute brings
 * anything new: the loop waits for a slot alone, or a year with held messages would have half a million steps.
 */
export const nextRelease = ({ lease, slots }: SlotMemory, now: number, stands: boolean): number => {
  const ends = slots?.nextExpiry(now)
  if (stands) return ends ?? now + slotMs
  const again = lease !== undefined && lease.ask_again_at > now ? lease.ask_again_at : Number.POSITIVE_INFINITY
  return Math.min(now + releaseEveryMs, ends ?? Number.POSITIVE_INFINITY, again)
}
