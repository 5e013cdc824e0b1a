import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { allowanceOf, portfolioAllowance } from "./Allowance.ts"
import { blockOf, type Lease, type LimitedNumber, type SlotMemory, slotLimit } from "./Lease.ts"
import { returnQuota } from "./LeaseWrites.ts"
import type { PacingRepo } from "./PacingRepo.ts"
import type { LeaseAnswer, LeaseItem } from "./PortfolioEntity.ts"
import { SlotLedger, type StoredLease } from "./SlotLedger.ts"

/** Asks a portfolio's owner for slots. */
export type AskPortfolio = (portfolioId: string, item: LeaseItem) => Effect.Effect<typeof LeaseAnswer.Type, ApiError>

/** The services that a number's slots need. */
export interface SlotDeps {
  readonly pacing: PacingRepo["Service"]
  /** Undefined for a look at sends beside the owner, which leases nothing. */
  readonly askPortfolio: AskPortfolio | undefined
}

/** The longest wait for a portfolio's answer; without one the number opens no slot by it. */
const answerWithinMs = 2000
/** How soon a portfolio that did not answer is asked again. */
const unansweredMs = 5000

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
        // Another batch may have read them meanwhile, and taken slots since.
        if (memory.slots !== undefined) return memory.slots
        memory.lease = leaseOf(stored.leases, number.portfolio_id)
        memory.slots = new SlotLedger(stored)
        return memory.slots
      })

const leaseOf = (leases: ReadonlyArray<StoredLease>, portfolio_id: string | null): Lease | undefined => {
  const lease = leases.find((one) => one.portfolio_id === portfolio_id)
  return lease === undefined
    ? undefined
    : {
        portfolio_id: lease.portfolio_id,
        quota: lease.quota,
        allowance: lease.allowance,
        cap: lease.cap,
        ask_again_at: 0
      }
}

/**
 * Makes room for so many new recipients: asks the number's portfolio when the leased block does not hold them. Without a
 * portfolio, and while a block lasts, it asks nobody. U-LIM-01
 */
export const makeRoom = Effect.fnUntraced(function* (
  memory: SlotMemory,
  number: LimitedNumber,
  owner: Pick<OwnerHandle, "id" | "now">,
  recipients: number,
  { askPortfolio }: Pick<SlotDeps, "askPortfolio">
) {
  const { portfolio_id } = number
  const now = owner.now()
  const limit = slotLimit(memory, number, now)
  const own = allowanceOf(number.messaging_tier, number.quality_rating)
  const allowance = portfolioAllowance(number.messaging_tier)
  const { slots } = memory
  if (limit === undefined || own === undefined || allowance === undefined || slots === undefined) return
  if (portfolio_id === null || askPortfolio === undefined || recipients === 0) return
  const used = slots.taken(now)
  const { lease } = memory
  const isSoon = lease?.portfolio_id === portfolio_id && lease.ask_again_at > now
  if (slots.free(limit, now) >= recipients || used >= own || isSoon) return
  const { returns } = memory
  const needed = Math.min(own, used + recipients)
  const wanted = Math.min(own, needed + blockOf(allowance))
  const answer = yield* askPortfolio(portfolio_id, { business_id: owner.id, used, needed, wanted, allowance }).pipe(
    Effect.timeout(answerWithinMs),
    // A call that the owner's move interrupted is asked again later, like one that was refused.
    Effect.catchCause(() => Effect.succeed(undefined))
  )
  const after = owner.now()
  if (returns !== memory.returns) return
  if (answer !== undefined) {
    const { retry_ms, ...leased } = answer
    memory.lease = { portfolio_id, ...leased, ask_again_at: retry_ms === null ? 0 : after + retry_ms }
  } else if (memory.lease?.portfolio_id === portfolio_id) {
    memory.lease = { ...memory.lease, ask_again_at: after + unansweredMs }
  } else {
    memory.lease = { portfolio_id, quota: 0, allowance: 0, cap: null, ask_again_at: after + unansweredMs }
  }
})

/**
 * Returns the rows that return what a recalled number does not use. Its memory is lowered first: from here on it opens no
 * slot beyond. Decision 0150
 */
export const returnUnused = (
  memory: SlotMemory,
  leases: ReadonlyArray<StoredLease>,
  business_id: string,
  now: number
): ReadonlyArray<Row> => {
  const { slots } = memory
  if (slots === undefined) return []
  return leases.flatMap(({ cap, portfolio_id, recalled, revision }) => {
    if (!recalled) return []
    const quota = slots.taken(now)
    const { lease } = memory
    memory.returns++
    if (lease?.portfolio_id === portfolio_id) {
      memory.lease = { ...lease, quota: Math.min(lease.quota, quota), cap }
    }
    return [returnQuota.row({ portfolio_id, business_id, from_revision: revision, quota })]
  })
}
