import { dayMs, formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { addMonths, monthEnd, monthOf, monthStart, monthsFrom } from "@carteiro/spellings/Months.ts"

/** The sum of one kind of movement in a month; amounts in 1/10,000 BRL. */
export interface StatementLine {
  readonly type: "debit" | "credit" | "hold" | "release"
  readonly source_type: string
  /** The meter of usage; null for other movements. */
  readonly meter_id: string | null
  /** The source or destination of credit: `funding:card`, `promotion`. */
  readonly rail: string | null
  readonly count: number
  readonly amount: number
}

/** The movements of an account in a month, and its balance before and after them. */
export interface Statement {
  readonly opening: number
  readonly closing: number
  readonly lines: ReadonlyArray<StatementLine>
  /** The movements of the balance, by day. */
  readonly days: ReadonlyArray<DayMovement>
  /** The costliest uses first, at most two hundred. */
  readonly usage: ReadonlyArray<UsageLine>
}

/** The usage of one meter by one number; the amount in 1/10,000 BRL. */
export interface UsageLine {
  readonly meter_id: string
  /** Null for usage without a number. */
  readonly phone_number_id: string | null
  readonly quantity: number
  readonly amount: number
}

/** A UTC month, `2026-01`, with its bounds in epoch milliseconds; the end is the start of the next. */
export interface Month {
  readonly name: string
  readonly from: number
  readonly until: number
}

/** Returns the month with that name; undefined for any other text. */
export const monthNamed = (text: string): Month | undefined => {
  const [, year, month] = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined || month === undefined) return undefined
  return { name: text, from: monthStart(text), until: monthEnd(text) }
}

/** The most months of which a choice of statements consists. */
const mostMonths = 12
/** The most days of a month. */
const mostDays = 31

/** Returns the months between two instants, newest first, at most twelve. */
export const monthsBetween = (first: number, now: number): ReadonlyArray<Month> => {
  const present = monthOf(now)
  const oldest = monthOf(addMonths(monthStart(present), 1 - mostMonths))
  return monthsFrom(oldest, present, mostMonths)
    .map((name) => ({ name, from: monthStart(name), until: monthEnd(name) }))
    .filter(({ name, until }) => name === present || until > first)
    .toReversed()
}

/** The movements of the balance on one day. */
export interface DayMovement {
  /** `2026-01-31`, in UTC. */
  readonly day: string
  readonly delta: number
}

/** Returns the balance at the end of each begun day of a month, from its opening balance and its movements. */
export const dailyBalances = (
  opening: number,
  movements: ReadonlyArray<DayMovement>,
  { from, until }: Month,
  now: number
): ReadonlyArray<{ readonly day: string; readonly balance: number }> => {
  const moved = new Map(movements.map(({ day, delta }) => [day, delta]))
  const days: Array<{ readonly day: string; readonly balance: number }> = []
  let balance = opening
  const count = Math.min(Math.ceil((until - from) / dayMs), Math.floor((now - from) / dayMs) + 1, mostDays)
  for (let index = 0; index < count; index++) {
    const day = formatTimestamp(from + index * dayMs).slice(0, 10)
    balance += moved.get(day) ?? 0
    days.push({ day, balance })
  }
  return days
}
