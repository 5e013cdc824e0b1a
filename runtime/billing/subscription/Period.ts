import { addMonths } from "@carteiro/spellings/Months.ts"
import type { BillingRail } from "./Subscription.ts"

/** The months that one payment of a rail buys. */
const monthsOf: { readonly [R in BillingRail]: number } = { cardproc_card: 1, pix_annual: 12 }

/**
 * Returns the end of the n-th period since the first payment. It is counted from that payment, so that the 31st comes
 * back after February. gaps-3 E "Subscription states"
 */
export const periodEnd = (rail: BillingRail, anchor: number, periods: number): number =>
  addMonths(anchor, monthsOf[rail] * periods)
