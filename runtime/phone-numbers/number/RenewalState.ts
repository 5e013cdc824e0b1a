import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatBrlOrNull } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PhoneRenewal } from "@carteiro/schema/phone-numbers/Renewal.ts"
import { monthEnd, monthOf, monthStart } from "@carteiro/spellings/Months.ts"
import type { NumberStanding } from "./NumberState.ts"

/** The parts of a number on which its rent depends; instants in epoch milliseconds. */
export interface RentedNumber extends NumberStanding {
  readonly environment: EnvironmentKind
  readonly activated_at: number | null
  /** The price of a month, in 1/10,000 BRL; null for a number that is not rented. */
  readonly monthly_fee: number | null
}

/** The known cost of a number in the present UTC month. Amounts in 1/10,000 BRL. */
export interface RentalMonth {
  /** The charge of the 1st for the number; null when there was none. */
  readonly charged: number | null
  /**
   * True when this month's rental charges left the balance below zero, and it has not been at zero since. M-PHN-30,
   * M-PHN-40
   */
  readonly unpaid: boolean
  /** True with a paid plan, which keeps numbers whose month is unpaid. M-PHN-35 */
  readonly paidPlan: boolean
}

/** The time of the monthly charge: 00:05 UTC on the 1st. M-PHN-33 */
const chargedAfterMs = 5 * 60 * 1000
/** The time from 12:00 UTC on the last day of a month to its end. M-PHN-34 */
const cutoffBeforeMs = 12 * hourMs

/** Returns when the next month is charged. M-PHN-33 */
export const nextRenewalAt = (now: number): number => {
  const month = monthOf(now)
  const here = monthStart(month) + chargedAfterMs
  return now < here ? here : monthEnd(month) + chargedAfterMs
}

/** Returns 12:00 UTC on the last UTC day of the month. M-PHN-34 */
export const releaseCutoffAt = (now: number): number => monthEnd(monthOf(now)) - cutoffBeforeMs

/** Returns the charge at activation, in the month of activation. gaps-3 F "First month and proration" */
const firstMonthOf = ({ activated_at, monthly_fee }: RentedNumber, now: number): number | null =>
  activated_at !== null && monthOf(activated_at) === monthOf(now) ? monthly_fee : null

/**
 * Returns the `renewal` of a number at `now`; null for a number that is not rented, and in a sandbox. M-PHN-26..40,
 * gaps-2 K "Rental month and renewal jobs"
 */
export const renewalOf = (number: RentedNumber, month: RentalMonth, now: number): PhoneRenewal | null => {
  if (number.source !== "numprov" || number.environment !== "production") return null
  const leaving = number.status === "release_requested" || number.status === "released"
  const charged = month.charged ?? firstMonthOf(number, now)
  const atRisk = !leaving && charged !== null && month.unpaid
  return {
    state: leaving ? (number.status === "released" ? "released" : "release_pending") : atRisk ? "at_risk" : "upcoming",
    reason_codes: atRisk ? ["insufficient_credit"] : [],
    next_renewal_at: leaving || number.activated_at === null ? null : formatTimestamp(nextRenewalAt(now)),
    release_cutoff_at: formatTimestampOrNull(atRisk && !month.paidPlan ? releaseCutoffAt(now) : null),
    automatic_release_enabled: !month.paidPlan,
    amount_brl: formatBrlOrNull(charged),
    currency: "brl",
    recommended_action: atRisk ? "add_credit_or_enable_auto_topup" : "none",
    evaluated_at: formatTimestamp(now),
    cycle_id: null,
    renewal_warning_48h_at: null,
    renewal_warning_24h_at: null,
    grace_selected_at: null,
    grace_ends_at: null,
    release_requested_at: null,
    provider_evidence_observed_at: null
  }
}
