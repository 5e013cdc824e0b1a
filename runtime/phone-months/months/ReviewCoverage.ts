import { Effect } from "effect"
import type { MonthStep, MonthWork } from "../../billing/Billing.ts"
import { isLive } from "./Coverage.ts"
import { MonthFacts } from "./MonthFacts.ts"
import { coverageRows } from "./MonthRows.ts"

/**
 * Applies a plan that begins or ends: a number without coverage sends again, or another sends until its month ends.
 * Nothing is charged. C-PMGT-05, C-PMGT-10
 */
export const reviewCoverage = Effect.gen(function* () {
  const facts = yield* MonthFacts
  return {
    job: "coverage_review",
    steps: Effect.fnUntraced(function* (accountId, _month, now) {
      const { account, monthsOf, numbers } = yield* facts.managed(accountId, now)
      return numbers.filter(isLive).flatMap((number): ReadonlyArray<MonthStep> => {
        const months = monthsOf(number)
        return coverageRows(number, account, months, now).length === 0
          ? []
          : [(unit) => unit.add(...coverageRows(number, account, months, unit.context.now))]
      })
    })
  } satisfies MonthWork
})
