import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import { type AccountContext, AccountUnit } from "../account/AccountUnit.ts"
import { accountMonthsToBegin } from "../months/MonthClock.ts"
import { beginMonth, type DueMonth, endMonth, MonthRepo } from "../months/MonthRepo.ts"
import { MonthWorks } from "../months/MonthWorks.ts"
import type { OwnedAccount } from "./ChargeQueue.ts"

/** The pause before steps that were not written are run again, in milliseconds. */
const retryMs = 1000

/**
 * Executes the due jobs of an account in the order of their due times, each step in a commit of its own: after a crash
 * the remaining steps are still due. Returns when it must run again. gaps-3 F "Month clock as jobs"
 */
export const makeMonthExecution = Effect.gen(function* () {
  const repo = yield* MonthRepo
  const works = yield* MonthWorks

  /** Runs a job; true once none of its steps remains. */
  const execute = Effect.fnUntraced(function* (
    { due_at, job, month }: DueMonth,
    state: OwnedAccount,
    owner: OwnerHandle,
    contextAt: (now: number) => AccountContext
  ) {
    for (const work of works.of(job)) {
      for (;;) {
        const steps = yield* work.steps(owner.id, month, owner.now())
        if (steps.length === 0) break
        let hasWritten = false
        for (const step of steps) {
          const unit = new AccountUnit(state, contextAt(owner.now()))
          step(unit, state)
          const rows = unit.end()
          if (rows.length === 0) continue
          hasWritten = true
          const { statuses } = yield* owner.commit([{ rows }])
          if (statuses[0] !== "committed") return false
        }
        // A step that waits for something else, such as a price, is run again later.
        if (!hasWritten) return false
      }
    }
    const done = endMonth.row({ account_id: owner.id, month, job, due_at, done_at: owner.now() })
    const { statuses } = yield* owner.commit([{ rows: [done] }])
    return statuses[0] === "committed"
  })

  const execution = Effect.fnUntraced(function* (
    state: OwnedAccount,
    owner: OwnerHandle,
    contextAt: (now: number) => AccountContext
  ) {
    for (const month of yield* repo.due(owner.id, owner.now())) {
      if (!(yield* execute(month, state, owner, contextAt))) return owner.now() + retryMs
    }
    return undefined
  })

  /** Begins the months of a sandbox whose clock was turned; the calendar begins those of every other account. */
  const begin = Effect.fnUntraced(function* (owner: OwnerHandle) {
    const calendar = owner.lead() === undefined ? undefined : yield* repo.calendar(owner.id)
    const begun = calendar === undefined ? [] : accountMonthsToBegin(calendar, owner.now())
    if (begun.length === 0) return
    yield* owner.commit([
      {
        rows: begun.map(({ job, month }) =>
          beginMonth.row({ account_id: owner.id, month, job: job.name, due_at: job.dueAt(month) })
        )
      }
    ])
  })

  return { begin, execute: execution }
})
