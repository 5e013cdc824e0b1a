import { formatBrl, formatBrlOrNull } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PhoneManagementCoverage, PhoneManagementSummary } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import { type CoverageAccount, type CoveredNumber, type MonthsOf, viewOf } from "./Coverage.ts"

/** The parts of a managed number that reads show. */
interface ShownNumber extends CoveredNumber {
  readonly id: string
  readonly environment: PhoneManagementCoverage["environment"]
  readonly phone: string | null
  readonly display_name: string | null
}

/** Returns the price of a charge at an instant, in 1/10,000 BRL; undefined while it is unknown. */
type FeeAt = (at: number) => number | undefined

/**
 * Returns a number's coverage as the API shows it, with its next charge. C-PMGT-04..24, gaps-3 F "Coverage item and
 * summary"
 */
export const coverageBody = (
  number: ShownNumber,
  account: CoverageAccount,
  months: MonthsOf,
  now: number,
  feeAt: FeeAt
) => {
  const view = viewOf(number, account, months, now, feeAt(now) ?? 0)
  const { next_charge_at } = view
  const isSandbox = account.environment === "sandbox"
  const fee = next_charge_at === null ? null : isSandbox ? 0 : (feeAt(next_charge_at) ?? feeAt(now) ?? null)
  const body: PhoneManagementCoverage = {
    id: number.id,
    object: "phone_management_coverage",
    phone_number_id: number.id,
    phone: number.phone,
    display_name: number.display_name,
    environment: number.environment,
    coverage: view.coverage,
    covered_until: formatTimestampOrNull(view.covered_until),
    next_charge_at: formatTimestampOrNull(next_charge_at),
    next_charge_brl: formatBrlOrNull(fee),
    currency: "brl",
    current_month_payment_status: view.current_month_payment_status,
    service_state: view.service_state,
    disable_at: formatTimestampOrNull(view.disable_at),
    evaluated_at: formatTimestamp(now)
  }
  return { body, charge: next_charge_at === null ? undefined : { at: next_charge_at, fee: fee ?? 0 } }
}

/** Returns the summary of all scheduled charges; instants in epoch milliseconds, fees in 1/10,000 BRL. C-PMGT-14..16 */
export const summaryOf = (
  charges: ReadonlyArray<{ readonly at: number; readonly fee: number }>
): PhoneManagementSummary => {
  const total = (some: typeof charges) => some.reduce((sum, { fee }) => sum + fee, 0)
  const next = charges.length === 0 ? null : charges.reduce((first, { at }) => Math.min(first, at), Infinity)
  return {
    retained_count: charges.length,
    monthly_total_brl: formatBrl(total(charges)),
    next_charge_at: formatTimestampOrNull(next),
    next_charge_brl: next === null ? null : formatBrl(total(charges.filter(({ at }) => at === next))),
    currency: "brl"
  }
}
