import { monthEnd, monthStart } from "@carteiro/spellings/Months.ts"
import { Effect } from "effect"
import { chargeMonth, MeterPrices, type MonthStep, type MonthWork } from "../../billing/Billing.ts"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { chargedAt, decideCharge, isLive, managementMeter, rentalMeter } from "./Coverage.ts"
import { MonthFacts } from "./MonthFacts.ts"
import { coverageRows, decided, monthRow } from "./MonthRows.ts"

/** Writes nothing: without a price in effect the charge of a month waits. */
const awaitPrice: MonthStep = () => {}

/**
 * Charges an account on the 1st: rentals by activation, then management, one commit per number, at the prices of 00:05.
 * Only numbers from before the month are charged; activation has charged the others. M-IMP-10, gaps-3 F "Month clock as
 * jobs", "First month and proration"
 */
export const chargeMonths = Effect.gen(function* () {
  const facts = yield* MonthFacts
  const prices = yield* MeterPrices

  const rentals = Effect.fnUntraced(function* (accountId: string, month: string) {
    if (!accountId.startsWith("org_")) return []
    const { charged, numbers } = yield* facts.rented(accountId, month)
    const open = numbers.filter(({ activated_at, id }) => activated_at < monthStart(month) && !charged.has(id))
    if (open.length === 0) return []
    const amount = yield* prices.unitPrice(rentalMeter, chargedAt(month))
    if (amount === undefined) return [awaitPrice]
    return open.map(
      (number): MonthStep =>
        (unit, state) => {
          const { environment_id, id, project_id } = number
          const { now } = unit.context
          unit.add(
            monthRow({ account_id: accountId, number, month, now }, "rental", amount),
            numberChanges.keepRented({ environment_id, id })
          )
          const charge = { phone_number_id: id, project_id, environment_id, month, amount } as const
          chargeMonth(unit, state, { ...charge, meter_id: rentalMeter, subject: "rental" })
        }
    )
  })

  const management = Effect.fnUntraced(function* (accountId: string, month: string, now: number) {
    // A job that runs late decides as of its own month.
    const at = Math.min(now, monthEnd(month) - 1)
    const { account, monthsOf, numbers } = yield* facts.managed(accountId, at)
    const live = numbers.filter(isLive)
    if (live.length === 0) return []
    const price = yield* prices.unitPrice(managementMeter, chargedAt(month))
    const isSandbox = account.environment === "sandbox"
    return live.flatMap((number): ReadonlyArray<MonthStep> => {
      const months = monthsOf(number)
      const decision = decideCharge(number, account, months, at, price ?? 0)
      if (decision === undefined) {
        return coverageRows(number, account, months, now).length === 0
          ? []
          : [(unit) => unit.add(...coverageRows(number, account, months, unit.context.now))]
      }
      if (price === undefined) return [awaitPrice]
      return [
        (unit, state) => {
          const { environment_id, id, project_id } = number
          const time = unit.context.now
          const place = { account_id: accountId, number, month, now: time }
          // Charges of earlier numbers may have used up the balance.
          const known = { ...account, balance: state.wallet.balance }
          if (decideCharge(number, known, months, at, price) === "unfunded") {
            const unfunded = decided(months, month, { isUnfunded: true })
            unit.add(monthRow(place, "management", null), ...coverageRows(number, known, unfunded, time))
            return
          }
          const amount = isSandbox ? 0 : price
          const charged = decided(months, month, { charged: amount })
          unit.add(monthRow(place, "management", amount), ...coverageRows(number, known, charged, time))
          const charge = { phone_number_id: id, project_id, environment_id, month, amount } as const
          chargeMonth(unit, state, { ...charge, meter_id: managementMeter, subject: id as `pn_${string}` })
        }
      ]
    })
  })

  return {
    job: "month_charge",
    steps: (accountId, month, now) =>
      Effect.flatMap(rentals(accountId, month), (first) =>
        first.length > 0 ? Effect.succeed(first) : management(accountId, month, now)
      )
  } satisfies MonthWork
})
