import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { allowanceOf, portfolioAllowance } from "./Allowance.ts"
import { blockOf, type LimitedNumber, lowOf, type SlotMemory, type StoredLease, slotLimit } from "./Lease.ts"
import { requestQuota, returnQuota } from "./LeaseWrites.ts"
import type { PacingRepo } from "./PacingRepo.ts"
import { hasEnded } from "./PortfolioRules.ts"
import { SlotLedger } from "./SlotLedger.ts"

/** The services that a number's slots need. */
export interface SlotDeps {
  readonly pacing: PacingRepo["Service"]
}

/** A request that is not known to be decided is made again so much later, in milliseconds. */
const requestAgainMs = 60_000

/** Reads the slots and the lease of a number, unless its owner remembers them. */
export const loadSlots = (
  memory: SlotMemory,
  number: LimitedNumber & { readonly environment_id: string },
  owner: Pick<OwnerHandle, "id" | "now">,
  pacing: PacingRepo["Service"]
): Effect.Effect<SlotLedger> =>
  memory.slots !== undefined
    ? Effect.succeed(memory.slots)
    : Effect.map(pacing.readSlots({ environment_id: number.environment_id, id: owner.id }, owner.now()), (stored) => {
        // Another batch may have read them meanwhile, and taken slots or returned a part of the quota since.
        if (memory.slots !== undefined) return memory.slots
        adoptLease(memory, number, stored.leases)
        memory.slots = new SlotLedger(stored)
        return memory.slots
      })

/**
 * Remembers the stored lease in the number's portfolio. Only a pass of the number's owner calls it after the first read:
 * a read beside a pass might be of before the quota that the pass returned. Decision 0150
 */
export const adoptLease = (
  memory: SlotMemory,
  { portfolio_id }: LimitedNumber,
  leases: ReadonlyArray<StoredLease>
): void => {
  const stored = leases.find((one) => one.portfolio_id === portfolio_id)
  if (stored === undefined) {
    memory.lease = undefined
    return
  }
  const { is_recalled: _, is_requested, left_at: __, ...lease } = stored
  memory.lease = lease
  if (!is_requested) memory.request = undefined
}

/**
 * Returns the row that requests slots of the number's portfolio for so many waiting recipients and a block beyond; none
 * while its lease has enough, and while a request for as much is open. Nothing waits for the answer: the portfolio's owner
 * makes the number due once it has decided. Decision 0150, U-LIM-01
 */
export const requestRows = (
  memory: SlotMemory,
  number: LimitedNumber,
  business_id: string,
  waiting: number,
  now: number
): ReadonlyArray<Row> => {
  const { portfolio_id } = number
  const { request, slots } = memory
  const own = allowanceOf(number.messaging_tier, number.quality_rating)
  const allowance = portfolioAllowance(number.messaging_tier)
  if (own === undefined || allowance === undefined || slots === undefined || portfolio_id === null) return []
  const taken = slots.taken(now)
  const free = slots.free(slotLimit(memory, number, now), now)
  const low = lowOf(allowance)
  if (taken + free >= own || free >= waiting + low) return []
  const needed = Math.min(own, taken + waiting)
  const isOpen = request !== undefined && request.portfolio_id === portfolio_id && request.until > now
  if (isOpen && request.wanted >= Math.min(own, needed + low)) return []
  const wanted = Math.min(own, needed + blockOf(allowance))
  memory.request = { portfolio_id, wanted, until: now + requestAgainMs }
  return [
    requestQuota.row({ portfolio_id, business_id, needed, wanted, request_allowance: allowance, requested_at: now })
  ]
}

/** The return of what a number does not use, to the portfolios that recalled it. */
interface Returned {
  readonly rows: ReadonlyArray<Row>
  /** The portfolios that have more for others once the rows are written. */
  readonly portfolios: ReadonlyArray<string>
}

/**
 * Returns what a recalled number does not use; everything to a portfolio that it left, once its slots there have ended.
 * Its memory is lowered first: from here on it opens no slot beyond. Decision 0150
 */
export const returnUnused = (
  memory: SlotMemory,
  number: LimitedNumber,
  leases: ReadonlyArray<StoredLease>,
  business_id: string,
  now: number
): Returned => {
  const { slots } = memory
  const recalled = slots === undefined ? [] : leases.filter(({ is_recalled }) => is_recalled)
  const taken = slots?.taken(now) ?? 0
  const returned = recalled.map((one) => {
    const isFormer = one.portfolio_id !== number.portfolio_id && hasEnded(one, now)
    return { portfolio_id: one.portfolio_id, before: one.quota, quota: isFormer ? 0 : taken }
  })
  for (const { portfolio_id, quota } of returned) {
    const { lease } = memory
    if (lease?.portfolio_id === portfolio_id) memory.lease = { ...lease, quota: Math.min(lease.quota, quota) }
  }
  return {
    rows: returned.map(({ portfolio_id, quota }) => returnQuota.row({ portfolio_id, business_id, quota })),
    portfolios: returned.filter(({ before, quota }) => before > quota).map(({ portfolio_id }) => portfolio_id)
  }
}
