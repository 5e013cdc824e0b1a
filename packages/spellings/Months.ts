import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"

/** The last instant of the year 9999, in epoch milliseconds: months behind it have no name of the form `2026-01`. */
const lastInstant = 253_402_300_799_999
/** The first instant of the year 1. */
const firstInstant = -62_135_596_800_000
const lastNumber = 9999 * 12 + 11
const firstNumber = 12

/** Counts the months since the year 0; an instant before the year 1 or after 9999 counts as the nearest within. */
const numberOfInstant = (instant: number): number => {
  const date = new Date(Math.min(Math.max(instant, firstInstant), lastInstant))
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const numberOfName = (month: string): number => {
  const [year = 0, inYear = 1] = month.split("-").map(Number)
  return year * 12 + inYear - 1
}

const nameOf = (number: number): string => {
  const within = Math.min(Math.max(number, firstNumber), lastNumber)
  const year = Math.floor(within / 12)
  return `${String(year).padStart(4, "0")}-${String(within - year * 12 + 1).padStart(2, "0")}`
}

const startOf = (number: number): number => new Date(0).setUTCFullYear(Math.floor(number / 12), number % 12, 1)

/** The UTC month of an instant in epoch milliseconds, `2026-01`; from year 1 to 9999, the nearest for other instants. */
export const monthOf = (instant: number): string => nameOf(numberOfInstant(instant))

/** The first instant of a month. */
export const monthStart = (month: string): number => startOf(numberOfName(month))

/** The first instant behind a month, which is the start of the next. */
export const monthEnd = (month: string): number => startOf(numberOfName(month) + 1)

/** The month after; `9999-12` has none and stays. */
export const monthAfter = (month: string): string => nameOf(numberOfName(month) + 1)

/** The month before; `0001-01` has none and stays. */
export const monthBefore = (month: string): string => nameOf(numberOfName(month) - 1)

/** Returns the months from one to another, both included, oldest first: at most so many, and none when `last` is earlier. */
export const monthsFrom = (first: string, last: string, most: number): ReadonlyArray<string> => {
  const from = numberOfName(first)
  const length = Math.min(Math.max(numberOfName(last) - from + 1, 0), most)
  return Array.from({ length }, (_, index) => nameOf(from + index))
}

/**
 * Returns the instant some months later in UTC: the equal day and time, or the last day of a shorter month. It never
 * leaves the years 1 to 9999.
 */
export const addMonths = (instant: number, months: number): number => {
  const from = new Date(Math.min(Math.max(instant, firstInstant), lastInstant))
  const number = Math.min(Math.max(numberOfInstant(instant) + months, firstNumber), lastNumber)
  const lastDay = new Date(startOf(number + 1) - 1).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const time = from.getTime() - new Date(from.getTime()).setUTCHours(0, 0, 0, 0)
  return startOf(number) + (day - 1) * dayMs + time
}
