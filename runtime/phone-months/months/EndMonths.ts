import { monthOf } from "@carteiro/spellings/Months.ts"
import { Effect } from "effect"
import type { MonthStep, MonthWork } from "../../billing/Billing.ts"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { hasPaidPlan, isToDisable, windowClosesAt } from "./Coverage.ts"
import { MonthFacts } from "./MonthFacts.ts"
import { coverageRows, decided, monthRow } from "./MonthRows.ts"

/**
 * Handles numbers on the free plan whose month is unpaid, from 12:00 to 18:00 on the last day: rented ones are
 * released, imported ones send nothing until the month ends. Each number is checked again in its turn. M-IMP-11,
 * C-PMGT-09, gaps-3 F "Month clock as jobs"
 */
export const endMonths = Effect.gen(function* () {
  const facts = yield* MonthFacts

  const release = Effect.fnUntraced(function* (accountId: string, month: string) {
    const { charged, isUnpaid, numbers } = yield* facts.rented(accountId, month)
    if (!isUnpaid) return []
    const unpaid = numbers.filter(({ activated_at, id }) => charged.has(id) || monthOf(activated_at) === month)
    return unpaid.map(
      (number): MonthStep =>
        (unit, state) => {
          const { now } = unit.context
          const isSaved = !state.hasUnpaidMonths || state.subscription.plan_offering_id !== null
          if (isSaved || now >= windowClosesAt(month)) return
          const { environment_id, id } = number
          unit.add(
            monthRow({ account_id: accountId, number, month, now }, "release", null),
            numberChanges.requestRelease({ environment_id, id, updated_at: now })
          )
        }
    )
  })

  const disable = Effect.fnUntraced(function* (accountId: string, month: string, now: number) {
    const { account, monthsOf, numbers } = yield* facts.managed(accountId, now)
    if (hasPaidPlan(account, now)) return undefined
    return numbers.flatMap((number): ReadonlyArray<MonthStep> => {
      const months = monthsOf(number)
      const { charged, isDisabled } = months(month)
      if (isDisabled || !isToDisable(number, account, months, now)) return []
      return [
        (unit, state) => {
          const time = unit.context.now
          const isPaid = charged !== null && !state.hasUnpaidMonths
          const isSaved = isPaid || state.subscription.plan_offering_id !== null
          if (isSaved || time >= windowClosesAt(month)) return
          const disabled = decided(months, month, { isDisabled: true })
          unit.add(
            monthRow({ account_id: accountId, number, month, now: time }, "disable", null),
            ...coverageRows(number, account, disabled, time)
          )
        }
      ]
    })
  })

  return {
    job: "month_end_disable",
    steps: Effect.fnUntraced(function* (accountId, month, now) {
      if (!accountId.startsWith("org_") || now >= windowClosesAt(month)) return []
      const disabled = yield* disable(accountId, month, now)
      // A paid plan keeps all numbers.
      return disabled === undefined ? [] : [...(yield* release(accountId, month)), ...disabled]
    })
  } satisfies MonthWork
})
