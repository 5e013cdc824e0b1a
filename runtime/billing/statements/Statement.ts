import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
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
  const from = Date.UTC(Number(year), Number(month) - 1)
  return { name: text, from, until: Date.UTC(Number(year), Number(month)) }
}

/** Returns the months between two instants, newest first, at most twelve. */
export const monthsBetween = (first: number, now: number): ReadonlyArray<Month> => {
  const months: Array<Month> = []
  for (let index = 0; index < 12; index++) {
    const date = new Date(now)
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - index)
    const until = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - index + 1)
    if (index > 0 && until <= first) break
    months.push({ name: new Date(from).toISOString().slice(0, 7), from, until })
  }
  return months
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
  for (let at = from; at < until && at <= now; at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    balance += moved.get(day) ?? 0
    days.push({ day, balance })
  }
  return days
}
