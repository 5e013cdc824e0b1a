import { scaleLinear } from "d3-scale"
import { line } from "d3-shape"

/** One line of a picture: a value for each instant. */
export interface Line {
  readonly name: string
  readonly values: ReadonlyArray<number>
  readonly isDashed?: boolean
}

export interface ChartOptions {
  /** Says what the picture shows, for people who do not see it. */
  readonly said: string
  readonly unit: string
  /** Minutes since the start, one for each value. */
  readonly minutes: ReadonlyArray<number>
  readonly lines: ReadonlyArray<Line>
}

const width = 760
const height = 320
const left = 60
const right = 190
const top = 28
const bottom = 34

const colours = [
  { light: "#1b4f9c", dark: "#9cc2ff" },
  { light: "#a8410a", dark: "#ffb38a" },
  { light: "#116b3a", dark: "#7fdca6" },
  { light: "#6b2fa0", dark: "#d3b0ff" },
  { light: "#7a5c00", dark: "#f0d060" },
  { light: "#556074", dark: "#a3b0c4" }
]

/** Returns lines over time as an SVG that stands alone, readable on light and dark ground. */
export const chart = ({ lines, minutes, said, unit }: ChartOptions): string => {
  const most = Math.max(1, ...lines.flatMap(({ values }) => values))
  const x = scaleLinear([0, Math.max(1, ...minutes)], [left, width - right])
  const y = scaleLinear([0, most], [height - bottom, top]).nice(5)
  const path = line<number>()
    .x((_, at) => round(x(minutes[at] ?? 0)))
    .y((value) => round(y(value)))
  const colour = (key: "light" | "dark") =>
    colours
      .map((pair, at) => `.soak .c${at} { stroke: ${pair[key]}; } .soak .t${at} { fill: ${pair[key]}; }`)
      .join("\n")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" class="soak" role="img" aria-label="${escaped(said)}">
<style>
.soak { background: #ffffff; }
.soak text { font: 12px system-ui, sans-serif; fill: #17202e; }
.soak .axis { stroke: #d5dae3; }
.soak path { fill: none; stroke-width: 1.8; }
.soak .dashed { stroke-dasharray: 5 4; }
${colour("light")}
@media (prefers-color-scheme: dark) {
.soak { background: #10151d; }
.soak text { fill: #e8edf5; }
.soak .axis { stroke: #333f52; }
${colour("dark")}
}
</style>
<text x="${left - 8}" y="14" text-anchor="end">${escaped(unit)}</text>
${y
  .ticks(5)
  .map(
    (tick) => `<line class="axis" x1="${left}" x2="${width - right}" y1="${round(y(tick))}" y2="${round(y(tick))}"/>
<text x="${left - 8}" y="${round(y(tick) + 4)}" text-anchor="end">${tick.toLocaleString("en-US")}</text>`
  )
  .join("\n")}
${x
  .ticks(8)
  .map((tick) => `<text x="${round(x(tick))}" y="${height - 14}" text-anchor="middle">${tick}</text>`)
  .join("\n")}
<text x="${width - right}" y="${height - 1}" text-anchor="end">minutes</text>
${lines
  .map(
    ({ isDashed, name, values }, at) =>
      `<path class="c${at % colours.length}${isDashed === true ? " dashed" : ""}" d="${path([...values])}"/>
<text class="t${at % colours.length}" x="${width - right + 14}" y="${top + 8 + at * 20}">${escaped(name)}${isDashed === true ? " (dashed)" : ""}</text>`
  )
  .join("\n")}
</svg>
`
}

const round = (value: number): number => Math.round(value * 10) / 10

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
