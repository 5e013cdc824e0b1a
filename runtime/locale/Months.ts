import { dayMs, formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** The UTC month of an instant in epoch milliseconds, `2026-01`. */
export const monthOf = (instant: number): string => formatTimestamp(instant).slice(0, 7)

/** The first instant of a month. */
export const monthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

/** The month after. */
export const monthAfter = (month: string): string => monthOf(monthStart(month) + 31 * dayMs)

/** The month before. */
export const monthBefore = (month: string): string => monthOf(monthStart(month) - dayMs)
