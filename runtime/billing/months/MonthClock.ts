import { monthAfter, monthEnd, monthOf, monthStart, monthsFrom } from "@carteiro/spellings/Months.ts"

/** A job that falls due for every account once in a UTC month. gaps-3 F "Month clock as jobs" */
export interface MonthJob {
  readonly name: "month_charge" | "month_end_disable"
  /** Returns when it falls due in a month (`2026-01`), in epoch milliseconds. */
  readonly dueAt: (month: string) => number
}

const minute = 60_000
const hour = 60 * minute

/**
 * The jobs of a month: charges at 00:05 UTC on the 1st; at 12:00 UTC on the last day, numbers with unpaid months are
 * disabled. The rooms that charge for months define the work, see `MonthWorks`. gaps-3 F "Month clock as jobs"
 */
export const monthJobs: ReadonlyArray<MonthJob> = [
  { name: "month_charge", dueAt: (month) => monthStart(month) + 5 * minute },
  { name: "month_end_disable", dueAt: (month) => monthEnd(month) - 12 * hour }
]

/**
 * Returns the months of a job that are due by now and were not begun: the present one, and those since the last begun
 * one if the calendar did not run. gaps-3 F "Month clock as jobs"
 */
export const monthsToBegin = (job: MonthJob, lastBegun: string | undefined, now: number): ReadonlyArray<string> =>
  dueMonths(job, lastBegun, monthOf(now), now)

/** The most months that one pass begins; the next pass begins the rest. */
const mostMonths = 240

/** Returns the months behind the last begun one, or from `first` on, that are due by now. */
const dueMonths = (job: MonthJob, lastBegun: string | undefined, first: string, now: number): ReadonlyArray<string> =>
  monthsFrom(lastBegun === undefined ? first : monthAfter(lastBegun), monthOf(now), mostMonths).filter(
    // The month after the last one that has a name is that month itself.
    (month) => month !== lastBegun && job.dueAt(month) <= now
  )

/** The months of one account that have begun, and when its wallet was opened. */
export interface AccountCalendar {
  /** Epoch milliseconds. */
  readonly opened_at: number
  /** The last month that has begun, by job. */
  readonly last: Readonly<Partial<Record<MonthJob["name"], string>>>
}

/** Returns the months of each job that are due for one account by now and have not begun, oldest first. */
export const accountMonthsToBegin = (
  calendar: AccountCalendar,
  now: number
): ReadonlyArray<{ readonly month: string; readonly job: MonthJob }> =>
  monthJobs.flatMap((job) =>
    dueMonths(job, calendar.last[job.name], monthOf(calendar.opened_at), now)
      // A month whose job fell due before the wallet was opened is not its account's.
      .filter((month) => job.dueAt(month) >= calendar.opened_at)
      .map((month) => ({ month, job }))
  )
