import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** Something that falls due for every account once in a UTC month. gaps-3 F "Month clock as jobs" */
export interface MonthJob {
  readonly name: "month_charge" | "month_end_disable"
  /** Its instant in a month (`2026-01`), in epoch milliseconds. */
  readonly dueAt: (month: string) => number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The UTC month of an instant, `2026-01`. */
const monthOf = (instant: number): string => formatTimestamp(instant).slice(0, 7)

/** The first instant of a month. */
const monthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

/** The month after. */
const monthAfter = (month: string): string => monthOf(monthStart(month) + 31 * day)

/**
 * The jobs of a month: charges at 00:05 UTC on the 1st, and at 12:00 UTC on the last day what is unpaid is ended. What they do
 * is told by the rooms that charge for months, see `MonthWorks`. gaps-3 F "Month clock as jobs"
 */
export const monthJobs: ReadonlyArray<MonthJob> = [
  { name: "month_charge", dueAt: (month) => monthStart(month) + 5 * minute },
  { name: "month_end_disable", dueAt: (month) => monthStart(monthAfter(month)) - 12 * hour }
]

/**
 * The months of a job that fell due by now and were not begun: the present one, and those since the last begun when the
 * calendar was away. gaps-3 F "Month clock as jobs"
 */
export const monthsToBegin = (job: MonthJob, lastBegun: string | undefined, now: number): ReadonlyArray<string> => {
  const months: Array<string> = []
  let month = lastBegun === undefined ? monthOf(now) : monthAfter(lastBegun)
  while (job.dueAt(month) <= now) {
    months.push(month)
    month = monthAfter(month)
  }
  return months
}
