import { Activations, commitThen, type Decision, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { PhoneNumberEntity } from "../number/PhoneNumberEntity.ts"
import { portfolioAllowance } from "../pacing/Allowance.ts"
import { forgetLease, leavePortfolio, raiseQuota, recallLease } from "../pacing/LeaseWrites.ts"
import { paceAt } from "../pacing/PacingWrites.ts"
import { type LeaseAnswer, type LeaseItem, PortfolioEntity } from "../pacing/PortfolioEntity.ts"
import { type Grant, grantLease, heldOf, type LeasedNumber } from "../pacing/PortfolioRules.ts"
import { PortfolioRepo, type StoredPortfolio } from "./PortfolioRepo.ts"

/**
 * Hosts the owners of portfolios. They keep no memory: requests are rare, and each batch reads what the ones before
 * have written and what numbers have returned since.
 */
export const portfolioOwners = PortfolioEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* PortfolioRepo
    const activations = yield* Activations
    const wake = (business_id: string) => activations.wake(PhoneNumberEntity.name, business_id)
    return {
      load: () => Effect.succeed({}),
      handlers: {
        Lease: {
          // A change that this read does not see can only be a number's return.
          read: (_items: ReadonlyArray<LeaseItem>, _state, owner) =>
            Effect.andThen(
              owner.settled,
              Effect.suspend(() => repo.read(owner.id, owner.now()))
            ),
          decide: (items, facts: StoredPortfolio, _state, owner, now) => leaseAll(items, facts, owner, now, wake)
        }
      }
    }
  })
)

/** Decides requests in their order, each on what the ones before it got. */
const leaseAll = (
  items: ReadonlyArray<LeaseItem>,
  { messaging_tier, numbers }: StoredPortfolio,
  owner: OwnerHandle,
  now: number,
  wake: (business_id: string) => void
): ReadonlyArray<Decision<typeof LeaseAnswer.Type>> => {
  const known = new Map(numbers.map((number) => [number.business_id, number]))
  const told = messaging_tier === null ? undefined : portfolioAllowance(messaging_tier)
  return items.map((item, index) => {
    // A number that has read a smaller limit than is stored decides by that one.
    const allowance = Math.min(told ?? item.allowance, item.allowance)
    const grant = grantLease(item, [...known.values()], allowance, now)
    remember(known, item, grant, now)
    const leaving = index === 0 ? leavingRows(numbers, owner.id, items, now) : []
    return commitThen({
      rows: [
        leaseRow(owner.id, item, allowance, grant, now),
        ...recallRows(owner.id, item, grant, known, now),
        ...leaving
      ],
      settle: () => {
        for (const { number } of grant.recalls) wake(number.business_id)
        if (grant.is_recalled) wake(item.business_id)
        return {
          ok: { quota: grant.quota, allowance: confirmed(allowance, grant), cap: grant.cap, retry_ms: grant.retry_ms }
        }
      }
    })
  })
}

/** A quota that is not confirmed is answered as one under more than any allowance, so that nothing is opened by it. */
const confirmed = (allowance: number, { is_confirmed }: Grant): number =>
  is_confirmed ? allowance : Number.MAX_SAFE_INTEGER

/** Applies a grant to what the next requests of the batch are decided on. */
const remember = (known: Map<string, LeasedNumber>, item: LeaseItem, grant: Grant, now: number): void => {
  const before = known.get(item.business_id)
  known.set(item.business_id, {
    business_id: item.business_id,
    environment_id: before?.environment_id ?? null,
    is_member: true,
    quota: grant.quota,
    cap: grant.cap,
    short_at: grant.is_short ? now : null,
    recalled_at: grant.is_recalled ? now : (before?.recalled_at ?? null),
    left_at: null,
    live: Math.max(before?.live ?? 0, item.used)
  })
  for (const { cap, number } of grant.recalls) known.set(number.business_id, { ...number, cap, recalled_at: now })
}

const leaseRow = (portfolio_id: string, item: LeaseItem, allowance: number, grant: Grant, now: number): Row =>
  raiseQuota.row({
    portfolio_id,
    business_id: item.business_id,
    quota: grant.quota,
    allowance: grant.is_confirmed ? allowance : null,
    cap: grant.cap,
    short_at: grant.is_short ? now : null,
    recalled_at: grant.is_recalled ? now : null
  })

/** Returns the rows that recall numbers: each is due at once, so that its owner returns what it does not use. */
const recallRows = (
  portfolio_id: string,
  item: LeaseItem,
  { is_recalled, recalls }: Grant,
  known: ReadonlyMap<string, LeasedNumber>,
  now: number
): ReadonlyArray<Row> => {
  const due = recalls.map(({ number }) => number)
  const own = known.get(item.business_id)
  return [
    ...recalls.map(({ cap, number: { business_id } }) =>
      recallLease.row({ portfolio_id, business_id, cap, recalled_at: now })
    ),
    ...[...due, ...(is_recalled && own !== undefined ? [own] : [])].flatMap(({ business_id, environment_id }) =>
      environment_id === null ? [] : [paceAt.row({ environment_id, business_id, due_at: now })]
    )
  ]
}

/** Returns the rows of numbers that left: the portfolio counts them until their slots in it have ended. */
const leavingRows = (
  numbers: ReadonlyArray<LeasedNumber>,
  portfolio_id: string,
  items: ReadonlyArray<LeaseItem>,
  now: number
): ReadonlyArray<Row> =>
  numbers
    .filter(({ business_id, is_member }) => !is_member && !items.some((item) => item.business_id === business_id))
    .flatMap((number) => {
      const place = { portfolio_id, business_id: number.business_id }
      if (number.left_at === null) return [leavePortfolio.row({ ...place, left_at: now })]
      return heldOf(number, now) === 0 && number.quota > 0 ? [forgetLease.row(place)] : []
    })
