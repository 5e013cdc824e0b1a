import { scaleBand, scaleLinear } from "d3-scale"
import { area, line, stack } from "d3-shape"
import { type Html, html, type Piece } from "./Html.ts"
import { type Label, type Saying, say } from "./Language.ts"
import { type Tone, table } from "./Parts.ts"

// A plot is a picture that takes all the room it has; what is written around it is text of the page, and keeps its size. Each
// bucket has a radio button over the picture: its values are shown while the pointer is over it, and the arrow keys walk them.

const width = 1000
const height = 200
/** The least height of a bar: one event among thousands stays visible. */
const leastBar = 5

/** The colour of a series, which no other of its chart has: what is good or bad of it, or one of three that say neither. */
export type SeriesTone = Exclude<Tone, "warn"> | "deep"

/** Values of one kind, a value for each bucket. */
export interface Series {
  readonly name: Label
  readonly tone: SeriesTone
  readonly values: ReadonlyArray<number>
}

interface ChartOptions {
  /** Tells the charts of a page apart. */
  readonly id: string
  /** Names the chart and its table. */
  readonly caption: Label
  /** States what the chart shows, for people who do not see it: text without elements. */
  readonly said: Html
  /** The buckets' names, in order. */
  readonly buckets: ReadonlyArray<Label>
  readonly series: ReadonlyArray<Series>
  /** Writes a value of the table, and of the axis where `writeTick` is missing. */
  readonly write: (value: number) => Piece
  readonly writeTick?: (value: number) => Piece
  /** Writes what a bucket is: the first column of the table. */
  readonly bucket: Label
  /** Whether the newest bucket is not over yet: it is drawn apart, so that a day that has begun does not look like a bad one. */
  readonly isRunning?: boolean
}

/** More days than this are drawn by the week: bars stay wide enough to be pointed at, and the page small. */
const mostDays = 45

/** Returns a chart of sums by seven days where it has many; the newest week is whole. */
const byWeek = (options: ChartOptions): ChartOptions => {
  const { buckets, series } = options
  if (buckets.length <= mostDays) return options
  const short = buckets.length % 7
  const starts = buckets.flatMap((_, index) => (index === 0 || (index - short) % 7 === 0 ? [index] : []))
  const sums = (values: ReadonlyArray<number>) =>
    starts.map((start, week) => values.slice(start, starts[week + 1]).reduce((sum, value) => sum + value, 0))
  return {
    ...options,
    bucket: "Week from",
    buckets: starts.flatMap((start) => buckets[start] ?? []),
    series: series.map((one) => ({ ...one, values: sums(one.values) }))
  }
}

/** Series as bars on top of each other, with their values in a table below. */
export const stackedBars = (daily: ChartOptions): Html => {
  const options = byWeek(daily)
  const { buckets, series } = options
  const sums = buckets.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const axis = axisFrom(0, Math.max(0, ...sums))
  const x = bandsOf(buckets.length)
  const layers = stack<number, number>()
    .keys(series.keys())
    .value((bucket, key) => series[key]?.values[bucket] ?? 0)([...buckets.keys()])
  const bars = layers.map((layer) => {
    const parts = layer.map(([from, to], index) =>
      to === from ? "" : barOf(x(index), axis.y(to), x.bandwidth(), axis.y(from) - axis.y(to))
    )
    return marksOf(options, series[layer.key]?.tone, parts)
  })
  return figure(options, html`${legend(series)}${plot(options, axis, bars)}`)
}

/** Series as small charts beside each other, all to one measure, so that none hides another. */
export const smallMultiples = (daily: ChartOptions): Html => {
  const options = byWeek(daily)
  const { buckets, series, write } = options
  const axis = axisFrom(0, Math.max(0, ...series.flatMap(({ values }) => values)))
  const x = bandsOf(buckets.length)
  return figure(
    options,
    html`<div class="multiples">${series.map((one, place) => {
      const total = one.values.reduce((sum, value) => sum + value, 0)
      const parts = one.values.map((value, index) => {
        const tall = Math.max(height - axis.y(value), leastBar)
        return value === 0 ? "" : barOf(x(index), height - tall, x.bandwidth(), tall)
      })
      const bars = marksOf(options, one.tone, parts)
      const said = html`${say(one.name)}: ${write(total)}`
      const its: PlotOptions = { ...options, names: "small", id: `${options.id}-${place}`, said, series: [one] }
      return html`<div><p class="keys"><span class="key tone-${one.tone}">${say(one.name)} <strong>${write(total)}</strong></span></p>${plot(its, axis, bars)}</div>`
    })}</div>`
  )
}

/** One series as a line over a filled ground, which may go below zero. */
export const areaChart = (options: ChartOptions): Html => {
  const [{ tone, values } = { tone: "info", values: [] }] = options.series
  const axis = axisFrom(Math.min(0, ...values), Math.max(0, ...values))
  const step = width / Math.max(1, values.length)
  const at = (_: number, index: number) => round((index + 0.5) * step)
  const y = (value: number) => round(axis.y(value))
  const only = values.length === 1 ? values[0] : undefined
  const marks = html`<path class="area tone-${tone}" d="${area<number>(at, y(0), y)([...values])}"></path>
<path class="line tone-${tone}" d="${line<number>(at, y)([...values])}"></path>
${only !== undefined && html`<path class="line tone-${tone}" d="M${width * 0.4},${y(only)}H${width * 0.6}"></path>`}`
  return figure(options, plot(options, axis, marks))
}

/** A line as small as a word beside a figure, which says in words what matters of it; nothing where all of it is zero. */
export const sparkline = (values: ReadonlyArray<number>, tone: SeriesTone): Html | undefined => {
  const most = Math.max(...values)
  if (values.length < 2 || most <= 0) return undefined
  const x = scaleLinear([0, values.length - 1], [0, width])
  const y = scaleLinear([0, most], [height, 0])
  const drawn = line<number>((_, index) => x(index), y)(values)
  return html`<svg class="spark tone-${tone}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="line" d="${drawn}"/></svg>`
}

/** Stands for a chart that has nothing to show, and says why. */
export const noChart = (why: Saying): Html => html`<p class="empty">${say(why)}</p>`

interface Axis {
  /** Marks from the lowest to the highest, all as far apart: whole numbers, as values are counts or smallest units of money. */
  readonly ticks: ReadonlyArray<number>
  readonly y: (value: number) => number
}

const mostSteps = 4

const axisFrom = (least: number, most: number): Axis => {
  const rough = Math.max(1, (most - least) / mostSteps)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const from = Math.floor(least / step)
  const to = Math.max(from + 1, Math.ceil(most / step))
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
  return { ticks, y: scaleLinear([from * step, to * step], [height, 0]) }
}

const bandsOf = (count: number) => {
  const band = scaleBand(
    Array.from({ length: count }, (_, index) => index),
    [0, width]
  ).padding(count > 10 ? 0.25 : 0.45)
  return Object.assign((index: number) => band(index) ?? 0, { bandwidth: () => band.bandwidth() })
}

/** Returns a place in a picture to a tenth of a unit, which is all that it needs. */
const round = (value: number): number => Math.round(value * 10) / 10

/** Returns the bars of a series, drawn by one element, and by another the bar of a bucket that is not over yet. */
const marksOf = (
  { isRunning = false }: ChartOptions,
  tone: SeriesTone | undefined,
  parts: ReadonlyArray<string>
): Html => {
  const path = (kind: string, of: ReadonlyArray<string>) =>
    html`<path class="mark ${kind}tone-${tone}" d="${of.join("")}"></path>`
  return isRunning && parts.length > 1
    ? html`${path("", parts.slice(0, -1))}${path("running ", parts.slice(-1))}`
    : path("", parts)
}

/** Returns what a bucket is called where its values are read. */
const nameOf = ({ buckets, isRunning }: ChartOptions, name: Label, index: number): Piece =>
  isRunning === true && index === buckets.length - 1 ? html`${say(name)} (${say("so far")})` : say(name)

/** Returns a bar as a part of the path of its series. */
const barOf = (x: number, y: number, wide: number, tall: number): string =>
  `M${round(x)} ${round(y)}h${round(wide)}v${round(tall)}H${round(x)}z`

const legend = (series: ReadonlyArray<Series>): Html =>
  html`<p class="keys">${series.map(({ name, tone }) => html`<span class="key tone-${tone}">${say(name)}</span> `)}</p>`

/** Names that stand below an axis at most. */
const mostNames = { whole: 7, small: 3 } as const

interface PlotOptions extends ChartOptions {
  readonly names?: keyof typeof mostNames
}

const plot = (options: PlotOptions, { ticks, y }: Axis, marks: Piece): Html => {
  const { buckets, caption, id, names = "whole", said, series, write, writeTick = write } = options
  const step = Math.max(1, Math.ceil(buckets.length / mostNames[names]))
  // The newest has its name, and every so many before it.
  const isNamed = (index: number) => (buckets.length - 1 - index) % step === 0
  const isSecond = (index: number) => names === "whole" && ((buckets.length - 1 - index) / step) % 2 === 1
  return html`<div class="plot">
<ol class="ticks" aria-hidden="true">${ticks.toReversed().map((tick) => html`<li>${writeTick(tick)}</li>`)}</ol>
<div class="marks">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}" preserveAspectRatio="none">
${ticks.map((tick) => html`<line class="${tick === 0 ? "zero" : "grid"}" x1="0" x2="${width}" y1="${round(y(tick))}" y2="${round(y(tick))}"></line>`)}
${marks}
</svg>
<fieldset class="values"><legend class="hidden">${say(caption)}</legend>${buckets.map(
    (name, index) =>
      html`<label><input type="radio" name="at-${id}"><span class="value"><strong>${nameOf(options, name, index)}</strong>${series.map((one) => (series.length === 1 ? html` ${write(one.values[index] ?? 0)}` : html` <span class="key tone-${one.tone}">${say(one.name)} ${write(one.values[index] ?? 0)}</span>`))}</span></label>`
  )}</fieldset>
</div>
<ol class="names" aria-hidden="true">${buckets.map((name, index) => html`<li>${isNamed(index) && html`<span${isSecond(index) && html` class="second"`}>${say(name)}</span>`}</li>`)}</ol>
</div>`
}

const figure = (options: ChartOptions, drawn: Html): Html => {
  const { bucket, buckets, caption, series, write } = options
  return html`<figure class="chart">
${drawn}
<details><summary>As a table</summary>
${table(
  caption,
  [bucket, ...series.map(({ name }) => name)],
  buckets.map((name, index) => [
    nameOf(options, name, index),
    ...series.map(({ values }) => write(values[index] ?? 0))
  ]),
  undefined
)}</details>
</figure>`
}
