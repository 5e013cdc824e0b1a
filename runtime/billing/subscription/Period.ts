import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { BillingRail } from "./Subscription.ts"

/** Returns the days of a month, counted from 0. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/**
 * Returns the equal day and time that many months later in UTC, or the last day of a shorter month: a year after the
 * 29th of February is the 28th. Instants in epoch milliseconds. gaps-3 E "Subscription states"
 */
export const addMonths = (instant: number, months: number): number => {
  const from = new Date(instant)
  const sum = from.getUTCFullYear() * 12 + from.getUTCMonth() + months
  const year = Math.floor(sum / 12)
  const month = sum - year * 12
  const date = Math.min(from.getUTCDate(), daysIn(year, month))
  return Date.UTC(year, month, date) + (((instant % dayMs) + dayMs) % dayMs)
}

/** The months that one payment of a rail buys. */
const monthsOf: { readonly [R in BillingRail]: number } = { cardproc_card: 1, pix_annual: 12 }

/**
 * Returns the end of the n-th period since the first payment. It is counted from that payment, so that the 31st comes
 * back after February. gaps-3 E "Subscription states"
 */
export const periodEnd = (rail: BillingRail, anchor: number, periods: number): number =>
  addMonths(anchor, monthsOf[rail] * periods)
