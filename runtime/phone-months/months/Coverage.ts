import type { Coverage, PaymentStatus, ServiceState } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { monthAfter, monthBefore, monthEnd, monthOf, monthStart } from "@carteiro/spellings/Months.ts"

/** The meters of a month. gaps-3 E "Rate card seed" */
export const rentalMeter = "phone.rental.month"
export const managementMeter = "phone.management.month"

const minute = 60_000
const hour = 60 * minute

/** Returns when a month is charged. gaps-3 F "Month clock as jobs" */
export const chargedAt = (month: string): number => monthStart(month) + 5 * minute
/**
 * Returns when the disabling or release of a month's unpaid numbers begins; the next function returns when it ends.
 * C-PMGT-09, C-PMGT-23
 */
const endedAt = (month: string): number => monthEnd(month) - 12 * hour
export const windowClosesAt = (month: string): number => endedAt(month) + 6 * hour

/** A plan in force from an instant on. */
interface PlanInForce {
  readonly effective_from: number
  readonly plan_offering_id: string | null
  readonly covers: boolean
}

/** The account that covers numbers. Money in 1/10,000 BRL, instants in epoch milliseconds. */
export interface CoverageAccount {
  readonly environment: "sandbox" | "production"
  readonly balance: number
  /** The plans since the month before or earlier, oldest first. */
  readonly plans: ReadonlyArray<PlanInForce>
  /** When the present plan ends unless it is renewed; null on the free tier. */
  readonly plan_ends_at: number | null
}

/** The parts of a managed number on which its months depend. */
export interface CoveredNumber {
  readonly status: NumberStatus
  readonly suspended_at: number | null
  readonly enrollment_status: "active" | "suspended"
  readonly enrolled_at: number
}

/** The decisions about one number in one month. */
export interface NumberMonth {
  /** The charge for its management; null when there was none. */
  readonly charged: number | null
  /** True when the balance did not cover the charge on the 1st. */
  readonly isUnfunded: boolean
  readonly isDisabled: boolean
  /** True when the charge left the balance below zero, and it has not been at zero since. */
  readonly isUnpaid: boolean
}

/** Returns the decisions about a number in this month or the one before. */
export type MonthsOf = (month: string) => NumberMonth

/** A month without decisions. */
export const emptyMonth: NumberMonth = { charged: null, isUnfunded: false, isDisabled: false, isUnpaid: false }

const planAt = (plans: ReadonlyArray<PlanInForce>, at: number): PlanInForce | undefined =>
  plans.findLast(({ effective_from }) => effective_from <= at)

/** True when an account has a paid plan at an instant; such a plan keeps its numbers. C-PMGT-22 */
export const hasPaidPlan = ({ plans }: Pick<CoverageAccount, "plans">, at: number): boolean =>
  (planAt(plans, at)?.plan_offering_id ?? null) !== null

/** True when a plan covers the month of an instant: one in force then, or one that ended in that month. C-PMGT-05 */
const isPlanned = ({ plans }: CoverageAccount, at: number): boolean =>
  plans.some((plan, n) => {
    const ends = plans[n + 1]?.effective_from ?? Number.POSITIVE_INFINITY
    return plan.covers && plan.effective_from <= at && ends >= monthStart(monthOf(at))
  })

/** True when the account no longer has the number. */
const isGone = ({ status }: CoveredNumber): boolean =>
  status === "failed" || status === "released" || status === "disconnected"

/**
 * True while a release keeps the jobs away from a number, until the provider has it back. Transfer, conversion and
 * disconnect are one commit each and need no such state. gaps-3 F "Fenced numbers"
 */
const isFenced = ({ status }: CoveredNumber): boolean => status === "release_requested"

/** True when the jobs of a month handle a number. */
export const isLive = (number: CoveredNumber): boolean =>
  number.enrollment_status === "active" && !isGone(number) && !isFenced(number)

/** Returns the coverage of a number at an instant of a month that `months` knows. C-PMGT-04..09 */
const coverageAt = (number: CoveredNumber, account: CoverageAccount, months: MonthsOf, at: number): Coverage => {
  const { charged, isDisabled } = months(monthOf(at))
  if (number.enrollment_status === "suspended" || isDisabled) return "none"
  if (isPlanned(account, at)) return "plan"
  return charged === null ? "none" : "prepaid"
}

/** True when a number was in service at the end of the month before. gaps-3 F "Who is charged on the 1st" */
const wasServing = (number: CoveredNumber, account: CoverageAccount, months: MonthsOf, month: string): boolean =>
  number.enrolled_at < monthStart(month) &&
  number.status === "active" &&
  coverageAt(number, account, months, monthStart(month) - 1) !== "none"

/**
 * Decides on a number on the 1st: nothing when a plan covers it or it is already decided. `at` is an instant of the
 * month, the fee in 1/10,000 BRL. gaps-3 F "Who is charged on the 1st"
 */
export const decideCharge = (
  number: CoveredNumber,
  account: CoverageAccount,
  months: MonthsOf,
  at: number,
  fee: number
): "charge" | "unfunded" | undefined => {
  const month = monthOf(at)
  const { charged, isUnfunded } = months(month)
  if (!isLive(number) || charged !== null || isUnfunded || isPlanned(account, at)) return undefined
  const isAffordable = account.environment === "sandbox" || account.balance >= fee
  return isAffordable || wasServing(number, account, months, month) ? "charge" : "unfunded"
}

/**
 * True when the last day of the month of `at` disables a number: on the free plan, when its month is unpaid. C-PMGT-09
 */
export const isToDisable = (number: CoveredNumber, account: CoverageAccount, months: MonthsOf, at: number): boolean => {
  const { charged, isUnpaid } = months(monthOf(at))
  return (
    account.environment === "production" &&
    isLive(number) &&
    !hasPaidPlan(account, at) &&
    !isPlanned(account, at) &&
    (charged === null || isUnpaid)
  )
}

/**
 * Returns the known instant from which a number sends nothing: now without coverage, or the end of its coverage, which
 * is unknown for a plan in force. C-PMGT-10
 */
export const suspendedFrom = (
  number: CoveredNumber,
  account: CoverageAccount,
  months: MonthsOf,
  now: number
): number | null => {
  const { suspended_at } = number
  switch (coverageAt(number, account, months, now)) {
    case "none":
      return suspended_at !== null && suspended_at <= now ? suspended_at : now
    case "prepaid":
      return monthEnd(monthOf(now))
    case "plan":
      return planAt(account.plans, now)?.covers === true ? null : monthEnd(monthOf(now))
  }
}

/** Returns when the plan's coverage ends: on the 1st after the month in which the plan ends. C-PMGT-06 */
const plannedUntil = (account: CoverageAccount, now: number): number => {
  const isInForce = planAt(account.plans, now)?.covers === true
  const ends = isInForce ? Math.max(now, account.plan_ends_at ?? now) : now
  return monthEnd(monthOf(ends))
}

/** Returns when a number is charged next; undefined when nothing is scheduled. C-PMGT-11, C-PMGT-12 */
const nextChargeAt = (
  number: CoveredNumber,
  account: CoverageAccount,
  months: MonthsOf,
  now: number,
  fee: number
): number | undefined => {
  if (!isLive(number)) return undefined
  if (isPlanned(account, now)) return chargedAt(monthOf(plannedUntil(account, now)))
  const month = monthOf(now)
  const isOpen = now < chargedAt(month) && months(month).charged === null
  const isAffordable = account.environment === "sandbox" || account.balance >= fee
  const isServing = isOpen
    ? wasServing(number, account, months, month)
    : number.status === "active" && coverageAt(number, account, months, now) !== "none"
  if (!isAffordable && !isServing) return undefined
  return chargedAt(isOpen ? month : monthAfter(month))
}

/** A number's coverage as reads show it. Instants in epoch milliseconds. C-PMGT-04..24 */
export interface CoverageView {
  readonly coverage: Coverage
  readonly covered_until: number | null
  readonly next_charge_at: number | null
  readonly current_month_payment_status: PaymentStatus
  readonly service_state: ServiceState
  readonly disable_at: number | null
}

/** Returns the coverage that a read at `now` shows; the fee in 1/10,000 BRL. C-PMGT-04..24 */
export const viewOf = (
  number: CoveredNumber,
  account: CoverageAccount,
  months: MonthsOf,
  now: number,
  fee: number
): CoverageView => {
  const month = monthOf(now)
  const { charged, isDisabled, isUnfunded, isUnpaid } = months(month)
  const coverage = coverageAt(number, account, months, now)
  return {
    coverage,
    covered_until: coverage === "none" ? null : coverage === "plan" ? plannedUntil(account, now) : monthEnd(month),
    next_charge_at: nextChargeAt(number, account, months, now, fee) ?? null,
    current_month_payment_status: charged === null ? "not_charged" : isUnpaid ? "unpaid" : "paid",
    service_state: isDisabled
      ? "disabled_unpaid_month_end"
      : coverage === "none"
        ? isUnfunded
          ? "funding_required"
          : "not_serving"
        : number.status === "active"
          ? "serving"
          : "not_serving",
    disable_at: isToDisable(number, account, months, now) && now < windowClosesAt(month) ? endedAt(month) : null
  }
}

/** Returns the months that a read or a job at an instant needs. */
export const monthsAround = (at: number): readonly [before: string, present: string] => [
  monthBefore(monthOf(at)),
  monthOf(at)
]
