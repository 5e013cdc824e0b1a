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

/** Sums of entries of an account: those of a month, by kind, day and use, and all of those after it. */
export interface MonthSums extends Omit<Statement, "opening" | "closing"> {
  /** The movement of the balance in the month. */
  readonly delta: number
  /** The movement of the balance after the month. */
  readonly later: number
}

export const noSums: MonthSums = { lines: [], days: [], usage: [], delta: 0, later: 0 }

/** Returns the sums of both, which have no entry in common. */
export const addSums = (some: MonthSums, others: MonthSums): MonthSums => ({
  lines: joined(
    some.lines,
    others.lines,
    ({ meter_id, rail, source_type, type }) => `${type} ${source_type} ${meter_id} ${rail}`,
    (a, b) => ({ ...a, count: a.count + b.count, amount: a.amount + b.amount })
  ),
  days: joined(
    some.days,
    others.days,
    ({ day }) => day,
    (a, b) => ({ ...a, delta: a.delta + b.delta })
  ),
  usage: joined(
    some.usage,
    others.usage,
    ({ meter_id, phone_number_id }) => `${meter_id} ${phone_number_id}`,
    (a, b) => ({ ...a, quantity: a.quantity + b.quantity, amount: a.amount + b.amount })
  ),
  delta: some.delta + others.delta,
  later: some.later + others.later
})

const joined = <A>(
  some: ReadonlyArray<A>,
  others: ReadonlyArray<A>,
  nameOf: (one: A) => string,
  add: (a: A, b: A) => A
): ReadonlyArray<A> => {
  const byName = new Map(some.map((one) => [nameOf(one), one]))
  for (const one of others) {
    const before = byName.get(nameOf(one))
    byName.set(nameOf(one), before === undefined ? one : add(before, one))
  }
  return [...byName.values()]
}

/** The lines of usage that a statement shows, the costliest of all. */
const mostUsageLines = 200

/** Returns a month from the sums of all its entries and the present balance, which the later ones moved too. */
export const statementOf = (balance: number, { days, delta, later, lines, usage }: MonthSums): Statement => ({
  opening: balance - later - delta,
  closing: balance - later,
  lines: lines.toSorted(
    (a, b) =>
      inOrder(a.type, b.type) ||
      inOrder(a.source_type, b.source_type) ||
      inOrder(a.meter_id, b.meter_id) ||
      inOrder(a.rail, b.rail)
  ),
  days: days.toSorted((a, b) => inOrder(a.day, b.day)),
  usage: usage
    .toSorted(
      (a, b) => b.amount - a.amount || inOrder(a.meter_id, b.meter_id) || inOrder(a.phone_number_id, b.phone_number_id)
    )
    .slice(0, mostUsageLines)
})

/** Compares texts by their characters; null comes last. */
const inOrder = (a: string | null, b: string | null): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
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
