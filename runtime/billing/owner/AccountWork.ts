import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import { type AccountContext, AccountUnit } from "../account/AccountUnit.ts"
import { postCorrectionTo } from "../corrections/CorrectionPosting.ts"
import { CorrectionRepo } from "../corrections/CorrectionRepo.ts"
import { moveSubscription, openInvoice } from "../decisions/SubscriptionMoves.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { elapse } from "../subscription/SubscriptionClock.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { postAll } from "../usage/UsagePosting.ts"
import { type AccountDue, AccountDueRepo } from "./AccountDueRepo.ts"
import type { OwnedAccount } from "./ChargeQueue.ts"
import { makeMonthExecution } from "./MonthExecution.ts"

/** The most corrections that one pass posts. */
const correctedAtOnce = 500
/** The pause before rows that were not written, and usage without a price, are tried again, in milliseconds. */
const retryMs = 1000

/**
 * Makes the passes of an account's owner: corrections, usage, months, charges. Each returns when the next one is due.
 */
export const makeAccountWork = Effect.gen(function* () {
  const accounts = yield* AccountDueRepo
  const corrections = yield* CorrectionRepo
  const topups = yield* TopupRepo
  const catalog = yield* PlanCatalogRepo
  const months = yield* makeMonthExecution

  type ContextAt = (now: number) => AccountContext

  /** Checks once after loading whether a movement that the owner did not make crossed the threshold. */
  const review = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, contextAt: ContextAt) {
    state.isReviewed = true
    const unit = new AccountUnit(state, contextAt(owner.now()))
    unit.review()
    const rows = unit.end()
    if (rows.length > 0) yield* owner.commit([{ rows }])
  })

  const correctDue = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, contextAt: ContextAt) {
    const due = yield* corrections.open(owner.id, correctedAtOnce)
    if (due.length === 0) return undefined
    const context = contextAt(owner.now())
    const units = due.map((correction) => {
      const unit = new AccountUnit(state, context)
      postCorrectionTo(unit, correction, state.wallet)
      return { rows: unit.end() }
    })
    const { statuses } = yield* owner.commit(units)
    return statuses.some((status) => status !== "committed") ? owner.now() + retryMs : undefined
  })

  const postDue = Effect.fnUntraced(function* (
    { hasMoreUsage, usage }: AccountDue,
    state: OwnedAccount,
    owner: OwnerHandle,
    contextAt: ContextAt
  ) {
    if (state.packagesChanged) {
      state.packages = yield* topups.openPackages(owner.id)
      state.packagesChanged = false
    }
    const { statuses } = yield* owner.commit([{ rows: postAll(usage, state, contextAt(owner.now())) }])
    if (statuses.some((status) => status !== "committed")) return owner.now() + retryMs
    return hasMoreUsage ? owner.now() : undefined
  })

  /** Handles due ends of periods, renewals and retries. gaps-3 E "Subscription states" */
  const subscriptionDue = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, contextAt: ContextAt) {
    const { due_at } = state.subscription
    if (due_at === null || due_at > owner.now()) return due_at ?? undefined
    const plans = yield* catalog.byId
    const now = owner.now()
    const unit = new AccountUnit(state, contextAt(now))
    moveSubscription(elapse(state.subscription, openInvoice(state), plans, now), unit, state)
    const { statuses } = yield* owner.commit([{ rows: unit.end() }])
    return statuses.some((status) => status !== "committed") ? now + retryMs : (state.subscription.due_at ?? undefined)
  })

  return Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, contextAt: ContextAt) {
    if (!state.isReviewed) yield* review(state, owner, contextAt)
    const subscription = yield* subscriptionDue(state, owner, contextAt)
    yield* months.begin(owner)
    const due = yield* accounts.due(owner.id, owner.now())
    const correction = due.hasCorrections ? yield* correctDue(state, owner, contextAt) : undefined
    const posting = due.usage.length > 0 ? yield* postDue(due, state, owner, contextAt) : undefined
    // A month is executed once all usage before it is charged.
    const month = posting === undefined && due.hasMonths ? yield* months.execute(state, owner, contextAt) : undefined
    const charges =
      state.openCharges.size > 0 || state.charges.underWay.length > 0
        ? yield* state.charges.pass(state, owner)
        : undefined
    const again = [subscription, correction, posting, month, charges].filter((at) => at !== undefined)
    return again.length === 0 ? undefined : Math.min(...again)
  })
})
