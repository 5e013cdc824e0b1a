import { Activations } from "@carteiro/owners/Owner.ts"
import { passing } from "@carteiro/owners/Worker.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { PhoneNumberEntity } from "../number/PhoneNumberEntity.ts"
import { portfolioAllowance } from "../pacing/Allowance.ts"
import { decideRequest, forgetLease, leavePortfolio, recallLease } from "../pacing/LeaseWrites.ts"
import { paceAt } from "../pacing/PacingWrites.ts"
import {
  type DecidedRequest,
  decideRequests,
  heldOf,
  type LeasedNumber,
  type PortfolioDecision,
  type Recall
} from "../pacing/PortfolioRules.ts"
import { PortfolioWorker } from "../pacing/PortfolioWorker.ts"
import { PortfolioRepo } from "./PortfolioRepo.ts"

/** The pause after rows that were not written, in milliseconds. */
const afterRefusalMs = 1000

/**
 * Hosts the owners of portfolios. They keep no memory: requests are rare, and each pass reads what the one before has
 * written and what numbers have returned since. A change that the read does not see can only be a return.
 */
export const portfolioOwners = PortfolioWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* PortfolioRepo
    const activations = yield* Activations
    return passing(
      Effect.fnUntraced(function* (owner) {
        const now = owner.now()
        const { limit_revision, messaging_tier, numbers } = yield* repo.read(owner.id, now)
        const limit = messaging_tier === null ? undefined : portfolioAllowance(messaging_tier)
        const decision = decideRequests(numbers, limit, now)
        const { requests } = decision
        const numbersDue = dueOf(decision)
        const rows = [
          ...requests.map((decided) => decisionRow(owner.id, decided, limit_revision, now)),
          ...decision.recalls.map((recall) => recallRow(owner.id, recall, now)),
          ...leavingRows(numbers, decision, owner.id, now),
          ...numbersDue.flatMap(({ business_id, environment_id }) =>
            environment_id === null ? [] : [paceAt.row({ environment_id, business_id, due_at: now })]
          )
        ]
        if (rows.length === 0) return undefined
        const { statuses } = yield* owner.commit([{ rows }])
        if (statuses.some((status) => status !== "committed")) return owner.now() + afterRefusalMs
        for (const { business_id } of numbersDue) activations.wake(PhoneNumberEntity.name, business_id)
        return nextOf(requests)
      })
    )
  })
)

const nextOf = (requests: ReadonlyArray<DecidedRequest>): number | undefined => {
  const due = requests.flatMap(({ due_at }) => (due_at === null ? [] : [due_at]))
  return due.length === 0 ? undefined : Math.min(...due)
}

const decisionRow = (
  portfolio_id: string,
  { allowance, cap, due_at, grant, is_recalled, number, request }: DecidedRequest,
  limit_revision: number,
  now: number
): Row =>
  decideRequest.row({
    portfolio_id,
    business_id: number.business_id,
    from_requested_at: request.requested_at,
    quota: grant.quota,
    allowance,
    limit_revision: allowance === null ? null : limit_revision,
    cap,
    short_at: grant.is_short ? now : null,
    recalled_at: is_recalled ? now : null,
    due_at
  })

const recallRow = (portfolio_id: string, { cap, number }: Recall, now: number): Row =>
  recallLease.row({ portfolio_id, business_id: number.business_id, cap, recalled_at: now })

/** Returns the numbers that are to read their leases: those whose requests were decided, and those that are recalled. */
const dueOf = ({ recalls, requests }: PortfolioDecision): ReadonlyArray<LeasedNumber> => {
  const due = new Map(recalls.map(({ number }) => [number.business_id, number]))
  for (const { grant, is_recalled, number } of requests) {
    // One that may open nothing more reads that with its next pass.
    if (grant.is_confirmed || !grant.is_short || is_recalled) due.set(number.business_id, number)
  }
  return [...due.values()]
}

/** Returns the rows of numbers that left: the portfolio counts them until their slots in it have ended. */
const leavingRows = (
  numbers: ReadonlyArray<LeasedNumber>,
  { recalls }: PortfolioDecision,
  portfolio_id: string,
  now: number
): ReadonlyArray<Row> =>
  numbers
    .filter(
      ({ business_id, is_member }) => !is_member && recalls.every(({ number }) => number.business_id !== business_id)
    )
    .flatMap((number) => {
      const target = { portfolio_id, business_id: number.business_id }
      if (number.left_at === null || number.request !== null) return [leavePortfolio.row({ ...target, left_at: now })]
      return heldOf(number, now) === 0 ? [forgetLease.row(target)] : []
    })
