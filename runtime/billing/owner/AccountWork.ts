import { Effect } from "effect"
import type { OwnerHandle } from "../../platform/owner/Owner.ts"
import { type AccountGround, AccountUnit } from "../account/AccountUnit.ts"
import { postCorrectionTo } from "../corrections/CorrectionPosting.ts"
import { CorrectionRepo } from "../corrections/CorrectionRepo.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { postAll } from "../usage/UsagePosting.ts"
import { UsageRepo } from "../usage/UsageRepo.ts"
import type { OwnedAccount } from "./ChargeQueue.ts"

/** Usage or corrections that one pass posts. */
const postedAtOnce = 500
/** What was not written, or usage without a price, is looked at again after so long, in milliseconds. */
const retryMs = 1000

/** What an account's owner does when nobody calls: corrections, usage, charges; answers when it wants to run again. */
export const makeAccountWork = Effect.gen(function* () {
  const usage = yield* UsageRepo
  const corrections = yield* CorrectionRepo
  const topups = yield* TopupRepo

  type GroundAt = (now: number) => AccountGround

  /** What moved the wallet while nobody owned it may have crossed the threshold. */
  const review = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, groundAt: GroundAt) {
    state.isReviewed = true
    const unit = new AccountUnit(state, groundAt(owner.now()))
    unit.review()
    const rows = unit.end()
    if (rows.length > 0) yield* owner.commit([{ rows }])
  })

  const correctDue = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, groundAt: GroundAt) {
    const due = yield* corrections.open(owner.id, postedAtOnce)
    if (due.length === 0) return undefined
    const ground = groundAt(owner.now())
    const units = due.map((correction) => {
      const unit = new AccountUnit(state, ground)
      postCorrectionTo(unit, correction, state.wallet)
      return { rows: unit.end() }
    })
    const { statuses } = yield* owner.commit(units)
    return statuses.some((status) => status !== "committed") ? owner.now() + retryMs : undefined
  })

  const postDue = Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, groundAt: GroundAt) {
    const now = owner.now()
    const due = yield* usage.unposted(state.account.organization_id, now, postedAtOnce)
    if (due.length === 0) return undefined
    if (state.packagesChanged) {
      state.packages = yield* topups.openPackages(owner.id)
      state.packagesChanged = false
    }
    const { statuses } = yield* owner.commit([{ rows: postAll(due, state, groundAt(now)) }])
    if (statuses.some((status) => status !== "committed")) return owner.now() + retryMs
    return due.length < postedAtOnce ? undefined : owner.now()
  })

  return Effect.fnUntraced(function* (state: OwnedAccount, owner: OwnerHandle, groundAt: GroundAt) {
    if (!state.isReviewed) yield* review(state, owner, groundAt)
    const again = [
      yield* correctDue(state, owner, groundAt),
      state.account.environment === "production" ? yield* postDue(state, owner, groundAt) : undefined,
      state.openCharges.size > 0 || state.charges.underWay.length > 0 ? yield* state.charges.pass(state) : undefined
    ].filter((at) => at !== undefined)
    return again.length === 0 ? undefined : Math.min(...again)
  })
})
