import type { Activity } from "@carteiro/schema/activity/ActivityApi.ts"
import type { Measure } from "@carteiro/schema/activity/Measures.ts"
import { dayMs, formatTimestamp, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Html, html } from "./Html.ts"
import { type Label, type Saying, say } from "./Language.ts"
import { addressOf } from "./Lists.ts"

/** Spans that the overview shows, by their name in the address. */
export const spans = {
  "24h": { text: "24 hours", ms: dayMs },
  "7d": { text: "7 days", ms: 7 * dayMs },
  "30d": { text: "30 days", ms: 30 * dayMs },
  "90d": { text: "90 days", ms: 90 * dayMs }
} as const satisfies Readonly<Record<string, { readonly text: Saying; readonly ms: number }>>

export type Span = keyof typeof spans

/** Returns the span that the address names, else a week. */
export const spanNamed = (name: string | undefined): Span =>
  name !== undefined && Object.hasOwn(spans, name) ? (name as Span) : "7d"

/** Returns the links of a page that shows another span of it. */
export const spanChoice = (page: string, span: Span, query: Readonly<Record<string, string>> = {}): Html =>
  html`<nav class="buttons" aria-label="Span">${(Object.keys(spans) as ReadonlyArray<Span>).map(
    (one) =>
      html`<a class="button" href="${addressOf(page, { ...query, span: one })}"${one === span && html` aria-current="true"`}>${say(spans[one].text)}</a>`
  )}</nav>`

/** Returns the names of the buckets below the axis of a chart, and what a bucket is. */
export const axisOf = (
  span: Span,
  { names }: Buckets
): { readonly buckets: ReadonlyArray<Label>; readonly bucket: Label; readonly isRunning: true } =>
  span === "24h"
    ? { buckets: names.map((hour) => html`${hour}`), bucket: "Hour", isRunning: true }
    : { buckets: names.map(dayName), bucket: "Day", isRunning: true }

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

/** Returns a day such as `2026-11-21` as charts name it: "21 Nov". */
export const dayName = (day: string): Html => {
  const month = months[Number(day.slice(5, 7)) - 1]
  return html`${Number(day.slice(8, 10))} ${month === undefined ? day.slice(5, 7) : say(month)}`
}

/** Returns a month such as `2026-11` as people name it: "Nov 2026". */
export const monthName = (month: string): Html => {
  const name = months[Number(month.slice(5, 7)) - 1]
  return name === undefined ? html`${month}` : html`${say(name)} ${month.slice(0, 4)}`
}

/** Hours or days of a span, in the reader's time zone, with what happened in each. */
export interface Buckets {
  /** Names of the buckets, the oldest first: `14:00` or `2026-11-23`. */
  readonly names: ReadonlyArray<string>
  readonly counts: (measure: Measure) => ReadonlyArray<number>
  readonly amounts: (measure: Measure) => ReadonlyArray<number>
  /** Counts of an equally long time before them, as far as it was read. */
  readonly before: (measure: Measure) => { readonly count: number; readonly amount: number }
}

/** Returns when the first bucket of a span begins, in epoch milliseconds: at an hour of UTC, and a day early where a zone needs it. */
const beginOf = (span: Span, now: number): number => {
  const begin = now - spans[span].ms
  return begin - (begin % hourMs) + (span === "24h" ? hourMs : 0)
}

/** Returns the query of what happened in a span. */
export const queryOf = (span: Span, now: number) => ({ from: formatTimestamp(beginOf(span, now)) })

/** Returns the query of what happened in a span, and in one as long before it. */
export const queryWithBefore = (span: Span, now: number) => ({
  from: formatTimestamp(beginOf(span, now) - spans[span].ms)
})

/** Returns the buckets of a span; hours that are none of it are left out. */
export const bucketsOf = (span: Span, zone: string, now: number, { series }: typeof Activity.Type): Buckets => {
  const begin = beginOf(span, now)
  const hours = Array.from({ length: Math.floor((now - begin) / hourMs) + 1 }, (_, hour) => begin + hour * hourMs)
  const keyOf = span === "24h" ? hourKeys(zone, hours) : keysBy(zone, day)
  const names = [...new Set(hours.map(keyOf))]
  // The first day of a span of days began before the span did.
  if (span !== "24h" && names.length * dayMs > spans[span].ms) names.shift()
  const first = hours.find((at) => keyOf(at) === names[0])
  const before = (measure: Measure) => {
    const until = first ?? begin
    const points = (series.find((one) => one.measure === measure)?.hours ?? []).filter(
      ([hour]) => hour * hourMs >= until - spans[span].ms && hour * hourMs < until
    )
    return { count: sum(points.map(([, count]) => count)), amount: sum(points.map(([, , amount]) => amount)) }
  }
  const places = new Map(names.map((name, index) => [name, index]))
  const sums = (of: 1 | 2) => (measure: Measure) => {
    const values = names.map(() => 0)
    for (const point of series.find((one) => one.measure === measure)?.hours ?? []) {
      const at = point[0] * hourMs
      const place = at >= begin ? places.get(keyOf(at)) : undefined
      if (place !== undefined) values[place] = (values[place] ?? 0) + point[of]
    }
    return values
  }
  return { names, counts: sums(1), amounts: sums(2), before }
}

const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const
const hour = { hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const

const keysBy = (zone: string, parts: Intl.DateTimeFormatOptions): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, ...parts })
  const known = new Map<number, string>()
  return (at) => {
    const key = known.get(at) ?? format.format(at)
    known.set(at, key)
    return key
  }
}

/** Returns the names of these hours. Where clocks change, a day has an hour twice: both then say how far they are from UTC. */
const hourKeys = (zone: string, hours: ReadonlyArray<number>): ((at: number) => string) => {
  const nameOf = keysBy(zone, hour)
  const whole = keysBy(zone, { ...hour, timeZoneName: "shortOffset" })
  const names = hours.map(nameOf)
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
  return (at) => (isTwice(nameOf(at)) ? whole(at) : nameOf(at))
}

/** Returns the total over all buckets. */
export const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)
