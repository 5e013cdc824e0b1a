import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

const day = 86_400_000

/** The UTC month of an instant in epoch milliseconds, `2026-01`. */
export const monthOf = (instant: number): string => formatTimestamp(instant).slice(0, 7)

/** The first instant of a month. */
export const monthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

/** The month after. */
export const monthAfter = (month: string): string => monthOf(monthStart(month) + 31 * day)

/** The month before. */
export const monthBefore = (month: string): string => monthOf(monthStart(month) - day)
