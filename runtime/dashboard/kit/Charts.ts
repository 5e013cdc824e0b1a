import { scaleBand, scaleLinear } from "d3-scale"
import { line, stack } from "d3-shape"
import { type Html, html } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import { type Tone, table } from "./Parts.ts"

const width = 440
const height = 200
const left = 62
const right = 8
const top = 10
const bottom = 24

/** Values of one kind, a value for each bucket. */
export interface Series {
  readonly name: Label
  readonly tone: Tone
  readonly values: ReadonlyArray<number>
}

interface ChartOptions {
  /** Names the chart and its table. */
  readonly caption: Label
  /** States what the chart shows, for people who do not see it: text without elements. */
  readonly said: Html
  /** The buckets' names, in order. */
  readonly buckets: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  /** Writes a value of the table, and of the axis where `writeTick` is missing. */
  readonly write: (value: number) => string
  readonly writeTick?: (value: number) => string
  /** Writes what a bucket is: the first column of the table. */
  readonly bucket: Label
}

/** Series as bars on top of each other, with their values in a table below. */
export const stackedBars = (options: ChartOptions): Html => {
  const { buckets, series } = options
  const sums = buckets.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const { x, y } = scales(buckets, Math.max(0, ...sums))
  const layers = stack<number, number>()
    .keys(series.keys())
    .value((bucket, key) => series[key]?.values[bucket] ?? 0)([...buckets.keys()])
  return figure(
    options,
    y,
    html`${layers.map((layer) =>
      layer.map(([from, to], index) =>
        to === from
          ? undefined
          : html`<rect class="mark tone-${series[layer.key]?.tone}" x="${round(x(index))}" y="${round(y(to))}" width="${round(x.bandwidth())}" height="${round(y(from) - y(to))}"></rect>`
      )
    )}`
  )
}

/** Series as lines, with their values in a table below. */
export const lines = (options: ChartOptions): Html => {
  const { buckets, series } = options
  const { x, y } = scales(buckets, Math.max(0, ...series.flatMap(({ values }) => values)))
  const path = line<number>()
    .x((_, index) => round(x(index) + x.bandwidth() / 2))
    .y((value) => round(y(value)))
  return figure(
    options,
    y,
    html`${series.map(({ tone, values }, index) => html`<path class="line tone-${tone} dash-${index}" d="${path([...values])}"></path>`)}`
  )
}

const scales = (buckets: ReadonlyArray<string>, most: number) => {
  const band = scaleBand(buckets.keys(), [left, width - right]).padding(0.2)
  const x = Object.assign((index: number) => band(index) ?? left, { bandwidth: () => band.bandwidth() })
  return { x, y: scaleLinear([0, Math.max(1, most)], [height - bottom, top]).nice(4) }
}

/** Returns the marks of the axis: values are counts, or the smallest units of money, and have no fractions. */
const wholeTicks = (y: ReturnType<typeof scales>["y"]): ReadonlyArray<number> => y.ticks(4).filter(Number.isInteger)

/** Returns a place in a picture to a tenth of a pixel, which is all that it needs. */
export const round = (value: number): number => Math.round(value * 10) / 10

const figure = (
  { bucket, buckets, caption, said, series, write, writeTick = write }: ChartOptions,
  y: ReturnType<typeof scales>["y"],
  marks: Html
): Html => {
  const band = scaleBand(buckets.keys(), [left, width - right])
  const step = Math.max(1, Math.ceil(buckets.length / 7))
  const named = [...buckets.entries()].filter(([index]) => index % step === 0)
  return html`<figure class="chart">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}" preserveAspectRatio="xMinYMid">
${wholeTicks(y).map(
  (
    tick
  ) => html`<line class="axis" x1="${left}" x2="${width - right}" y1="${round(y(tick))}" y2="${round(y(tick))}"></line>
<text class="tick end" x="${left - 6}" y="${round(y(tick) + 4)}">${writeTick(tick)}</text>`
)}
${marks}
${named.map(([index, name]) => html`<text class="tick" x="${round((band(index) ?? 0) + band.bandwidth() / 2)}" y="${height - 6}">${name}</text>`)}
</svg>
<figcaption>${series.map(({ name, tone }) => html`<span class="key tone-${tone}">${say(name)}</span> `)}</figcaption>
<details><summary>As a table</summary>
${table(
  caption,
  [bucket, ...series.map(({ name }) => name)],
  buckets.map((name, index) => [name, ...series.map(({ values }) => write(values[index] ?? 0))]),
  undefined
)}</details>
</figure>`
}
